/// The type of a TIFF field's values (TIFF Revision 6.0, Adobe 1992, section 2).
public enum FieldType: UInt16, Hashable, Sendable {
    /// An unsigned 8-bit number.
    case byte = 1
    /// Zero-terminated 7-bit text. Cameras also write other encodings.
    case ascii
    /// An unsigned 16-bit number.
    case short
    /// An unsigned 32-bit number.
    case long
    /// Two `long`s: numerator and denominator.
    case rational
    /// A signed 8-bit number.
    case signedByte
    /// Bytes whose meaning the tag defines.
    case undefined
    /// A signed 16-bit number.
    case signedShort
    /// A signed 32-bit number.
    case signedLong
    /// Two `signedLong`s: numerator and denominator.
    case signedRational
    /// A 32-bit IEEE 754 number.
    case float
    /// A 64-bit IEEE 754 number.
    case double

    /// The type of a field in a file; nil for an unknown number.
    ///
    /// Type 13, the offset of a directory (TIFF Technical Note 1), counts as a `long`.
    public init?(tiffType: Int) {
        guard let code = UInt16(exactly: tiffType) else { return nil }
        self.init(rawValue: code == 13 ? FieldType.long.rawValue : code)
    }

    /// Bytes of one value.
    public var byteCount: Int {
        switch self {
        case .byte, .ascii, .signedByte, .undefined: 1
        case .short, .signedShort: 2
        case .long, .signedLong, .float: 4
        case .rational, .signedRational, .double: 8
        }
    }

    /// Bytes that change order together. A rational consists of two numbers of 4 bytes.
    private var unitByteCount: Int {
        switch self {
        case .rational, .signedRational: 4
        default: byteCount
        }
    }

    /// Converts values from big-endian to little-endian order. An incomplete value at the end is unchanged.
    public func littleEndian(bigEndian bytes: [UInt8]) -> [UInt8] {
        let unit = unitByteCount
        guard unit > 1 else { return bytes }
        var result = bytes
        for start in stride(from: 0, to: bytes.count - unit + 1, by: unit) {
            result[start..<start + unit].reverse()
        }
        return result
    }
}
