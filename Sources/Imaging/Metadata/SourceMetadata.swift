/// What a RAW says about itself, beside its pixels.
public struct SourceMetadata: Sendable {
    public var make: String
    public var model: String
    /// Every EXIF tag of the RAW, in the order it was met; may hold tags a JPEG must not carry.
    public var exif: [ExifTag]
    /// The RAW's own XMP packet, UTF-8, unparsed; nil where it has none.
    public var xmp: [UInt8]?
    /// Capture time as EXIF writes it ("2024:05:01 10:00:00"), nil where the camera recorded none.
    public var captured: String?

    public init(make: String, model: String, exif: [ExifTag] = [], xmp: [UInt8]? = nil, captured: String? = nil) {
        self.make = make
        self.model = model
        self.exif = exif
        self.xmp = xmp
        self.captured = captured
    }
}
