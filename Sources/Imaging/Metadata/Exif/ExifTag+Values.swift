/// Making tags of the types a rendition needs.
extension ExifTag {
    /// - Parameter text: written as UTF-8 with EXIF's final NUL.
    public static func text(_ directory: ExifDirectory, _ number: UInt16, _ text: String) -> ExifTag {
        ExifTag(directory: directory, number: number, type: .ascii, value: Array(text.utf8) + [0])
    }

    public static func short(_ directory: ExifDirectory, _ number: UInt16, _ values: UInt16...) -> ExifTag {
        ExifTag(directory: directory, number: number, type: .short, value: values.flatMap { littleEndian($0) })
    }

    public static func long(_ directory: ExifDirectory, _ number: UInt16, _ values: UInt32...) -> ExifTag {
        ExifTag(directory: directory, number: number, type: .long, value: values.flatMap { littleEndian($0) })
    }

    public static func rational(
        _ directory: ExifDirectory, _ number: UInt16, _ numerator: UInt32, _ denominator: UInt32
    ) -> ExifTag {
        let value = littleEndian(numerator) + littleEndian(denominator)
        return ExifTag(directory: directory, number: number, type: .rational, value: value)
    }

    public static func bytes(_ directory: ExifDirectory, _ number: UInt16, _ value: [UInt8]) -> ExifTag {
        ExifTag(directory: directory, number: number, type: .undefined, value: value)
    }

    static func littleEndian<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
}

/// Reading a tag's value.
extension ExifTag {
    /// The text of a tag, repaired: see `ExifText`. Nil where there is none.
    public var text: String? { ExifText.clean(value) }

    /// The values of any integer type; nil for other types and for an incomplete value.
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

    /// Whole values only: a rest shorter than one is left out.
    private func read<Value: FixedWidthInteger>(_: Value.Type) -> [Value] {
        let size = MemoryLayout<Value>.size
        return (0..<(value.count / size)).map { index in
            value[(index * size)..<((index + 1) * size)].reversed().reduce(0) {
                $0 << 8 | Value(truncatingIfNeeded: $1)
            }
        }
    }
}
