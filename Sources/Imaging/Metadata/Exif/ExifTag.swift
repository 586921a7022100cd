/// The directory of an EXIF block a tag stands in.
public enum ExifDirectory: UInt8, Hashable, Sendable, CaseIterable {
    /// The main directory (IFD0): camera, artist, dates, resolution.
    case image
    /// The Exif IFD: exposure, lens, capture dates.
    case photo
    case gps
    case interoperability
}

/// TIFF 6.0's field types, with EXIF's additions.
public enum ExifType: UInt16, Hashable, Sendable {
    case byte = 1
    case ascii, short, long, rational, signedByte, undefined, signedShort, signedLong, signedRational
    case float, double

    public var byteCount: Int {
        switch self {
        case .byte, .ascii, .signedByte, .undefined: 1
        case .short, .signedShort: 2
        case .long, .signedLong, .float: 4
        case .rational, .signedRational, .double: 8
        }
    }
}

/// One EXIF field as it stood in the RAW, its value in little-endian order whatever the file's order was.
public struct ExifTag: Hashable, Sendable {
    public let directory: ExifDirectory
    public let number: UInt16
    public let type: ExifType
    /// `count × type.byteCount` bytes, little-endian.
    public let value: [UInt8]

    public init(directory: ExifDirectory, number: UInt16, type: ExifType, value: [UInt8]) {
        self.directory = directory
        self.number = number
        self.type = type
        self.value = value
    }

    public var count: Int { value.count / type.byteCount }
}
