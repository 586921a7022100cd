public import TIFF

/// A directory of an EXIF block.
public enum ExifDirectory: UInt8, Hashable, Sendable, CaseIterable {
    /// The main directory (IFD0): camera, artist, dates, resolution.
    case image
    /// The Exif IFD: exposure, lens, capture dates.
    case photo
    /// The GPS IFD: place and time of the photo.
    case gps
    case interoperability
}

/// One EXIF field of a RAW. Its value is always little-endian.
public struct ExifField: Hashable, Sendable {
    /// Directory of the field.
    public let directory: ExifDirectory
    /// Tag of the field in its directory.
    public let tag: TIFFTag
    /// Type of the values.
    public let type: FieldType
    /// `count × type.byteCount` bytes, little-endian.
    public let value: [UInt8]

    /// - Parameter value: little-endian.
    public init(directory: ExifDirectory, tag: TIFFTag, type: FieldType, value: [UInt8]) {
        self.directory = directory
        self.tag = tag
        self.type = type
        self.value = value
    }

    /// Number of complete values.
    public var count: Int { value.count / type.byteCount }
}
