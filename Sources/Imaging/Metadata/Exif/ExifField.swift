public import TIFF

/// The directory of an EXIF block that a field is in.
public enum ExifDirectory: UInt8, Hashable, Sendable, CaseIterable {
    /// The main directory (IFD0): camera, artist, dates, resolution.
    case image
    /// The Exif IFD: exposure, lens, capture dates.
    case photo
    /// The GPS IFD: where the photo was taken.
    case gps
    /// The interoperability IFD.
    case interoperability
}

/// One EXIF field of a RAW, with its value in little-endian order for any order of the file.
public struct ExifField: Hashable, Sendable {
    /// Where the field is.
    public let directory: ExifDirectory
    /// What the value means, in that directory.
    public let tag: TIFFTag
    /// The type of the values.
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

    /// How many whole values there are.
    public var count: Int { value.count / type.byteCount }
}
