/// Metadata of a RAW.
public struct SourceMetadata: Sendable {
    /// The camera's maker.
    public var make: String
    /// The camera's model.
    public var model: String
    /// All EXIF fields of the RAW, in the file's order, including those that a JPEG must not contain.
    public var exif: [ExifField]
    /// The RAW's XMP packet in UTF-8, unparsed; nil if it has none.
    public var xmp: [UInt8]?
    /// Capture time in EXIF's form ("2024:05:01 10:00:00"); nil if not recorded.
    public var captured: String?

    /// Creates metadata from their properties.
    public init(make: String, model: String, exif: [ExifField] = [], xmp: [UInt8]? = nil, captured: String? = nil) {
        self.make = make
        self.model = model
        self.exif = exif
        self.xmp = xmp
        self.captured = captured
    }
}
