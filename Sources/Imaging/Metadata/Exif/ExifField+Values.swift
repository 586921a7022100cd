public import TIFF

extension ExifField {
    /// Text, written as UTF-8 with EXIF's final NUL.
    public static func text(_ directory: ExifDirectory, _ tag: TIFFTag, _ text: String) -> ExifField {
        ExifField(directory: directory, tag: tag, type: .ascii, value: Array(text.utf8) + [0])
    }

    /// 16-bit numbers.
    public static func short(_ directory: ExifDirectory, _ tag: TIFFTag, _ values: UInt16...) -> ExifField {
        ExifField(directory: directory, tag: tag, type: .short, value: values.flatMap { littleEndian($0) })
    }

    /// 32-bit numbers.
    public static func long(_ directory: ExifDirectory, _ tag: TIFFTag, _ values: UInt32...) -> ExifField {
        ExifField(directory: directory, tag: tag, type: .long, value: values.flatMap { littleEndian($0) })
    }

    /// One unsigned fraction.
    public static func rational(
        _ directory: ExifDirectory, _ tag: TIFFTag, _ numerator: UInt32, _ denominator: UInt32
    ) -> ExifField {
        let value = littleEndian(numerator) + littleEndian(denominator)
        return ExifField(directory: directory, tag: tag, type: .rational, value: value)
    }

    /// Bytes of type UNDEFINED.
    public static func bytes(_ directory: ExifDirectory, _ tag: TIFFTag, _ value: [UInt8]) -> ExifField {
        ExifField(directory: directory, tag: tag, type: .undefined, value: value)
    }

    static func littleEndian<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        unsafe withUnsafeBytes(of: value.littleEndian) { unsafe Array($0) }
    }
}

extension ExifField {
    /// The text, cleaned by `ExifText.clean`; nil if nothing remains.
    public var text: String? { ExifText.clean(value) }

    /// The values of any integer type; nil for other types and incomplete values.
    var integers: [Int64]? {
        switch type {
        case .byte, .undefined: value.map { Int64($0) }
        case .signedByte: value.map { Int64(Int8(bitPattern: $0)) }
        case .short: read(UInt16.self).map { Int64($0) }
        case .signedShort: read(Int16.self).map { Int64($0) }
        case .long: read(UInt32.self).map { Int64($0) }
        case .signedLong: read(Int32.self).map { Int64($0) }
        case .ascii, .rational, .signedRational, .float, .double: nil
        }
    }

    /// Numerators and denominators of either rational type; nil for other types.
    var fractions: [(Int64, Int64)]? {
        let parts: [Int64]
        switch type {
        case .rational: parts = read(UInt32.self).map { Int64($0) }
        case .signedRational: parts = read(Int32.self).map { Int64($0) }
        default: return nil
        }
        return stride(from: 0, to: parts.count - 1, by: 2).map { (parts[$0], parts[$0 + 1]) }
    }

    /// The values of either rational type, 0 for a denominator of 0; empty for other types.
    public var quotients: [Double] {
        (fractions ?? []).map { $0.1 == 0 ? 0 : Double($0.0) / Double($0.1) }
    }

    /// Ignores an incomplete last value.
    private func read<Value: FixedWidthInteger>(_: Value.Type) -> [Value] {
        let size = MemoryLayout<Value>.size
        return (0..<(value.count / size)).map { index in
            value[(index * size)..<((index + 1) * size)].reversed().reduce(0) {
                $0 << 8 | Value(truncatingIfNeeded: $1)
            }
        }
    }
}
