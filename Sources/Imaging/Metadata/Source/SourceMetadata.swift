/// What a RAW records beside its pixels.
public struct SourceMetadata: Sendable {
    /// The camera's maker.
    public var make: String
    /// The camera.
    public var model: String
    /// Every EXIF field of the RAW, in the file's order. Some of them a JPEG must not carry.
    public var exif: [ExifField]
    /// The RAW's own XMP packet, UTF-8, unparsed; nil if it has none.
    public var xmp: [UInt8]?
    /// Capture time as EXIF writes it ("2024:05:01 10:00:00"), nil if the camera recorded none.
    public var captured: String?

    /// - Parameters:
    ///   - make: the camera's maker.
    ///   - model: the camera.
    ///   - exif: every EXIF field.
    ///   - xmp: the RAW's own packet.
    ///   - captured: capture time as EXIF writes it.
    public init(make: String, model: String, exif: [ExifField] = [], xmp: [UInt8]? = nil, captured: String? = nil) {
        self.make = make
        self.model = model
        self.exif = exif
        self.xmp = xmp
        self.captured = captured
    }
}
