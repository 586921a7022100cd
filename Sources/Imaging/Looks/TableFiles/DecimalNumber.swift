/// Decimal numbers with a dot, independent of the locale.
enum DecimalNumber {
    /// 10 to the power of the index, all exact in a `Double`.
    static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// Parses a finite decimal number with an optional sign and exponent; nil for other words.
    ///
    /// The result is correctly rounded: numbers that fit 53 bits by one exact multiplication or division (W. D.
    /// Clinger, 1990, "How to read floating point numbers accurately"), others by the standard library.
    ///
    /// - Parameter word: range of the number in `bytes`; not empty.
    static func parse(_ bytes: [UInt8], _ word: Range<Int>) -> Double? {
        guard !word.isEmpty, word.count <= 64 else { return nil }
        var offset = word.lowerBound
        let isNegative = bytes[offset] == 0x2D
        if isNegative || bytes[offset] == 0x2B { offset += 1 }
        var mantissa: UInt64 = 0
        var digits = 0
        var scale = 0
        var hasDot = false
        scan: while offset < word.upperBound {
            switch bytes[offset] {
            case 0x30...0x39:
                // Longer numbers go to the standard library.
                if digits < 18 { mantissa = mantissa * 10 + UInt64(bytes[offset] & 15) }
                digits += 1
                if hasDot { scale -= 1 }
            case 0x2E where !hasDot: hasDot = true
            default: break scan
            }
            offset += 1
        }
        guard digits > 0 else { return nil }
        if offset < word.upperBound {
            guard let exponent = exponent(bytes, offset..<word.upperBound) else { return nil }
            scale += exponent
        }
        guard digits <= 18, mantissa < 1 << 53, scale.magnitude <= 22 else { return byStandardLibrary(bytes, word) }
        let size = scale < 0 ? Double(mantissa) / powers[-scale] : Double(mantissa) * powers[scale]
        return isNegative ? -size : size
    }

    /// Parses `e`, an optional sign and one to four digits; nil for other text.
    private static func exponent(_ bytes: [UInt8], _ word: Range<Int>) -> Int? {
        guard bytes[word.lowerBound] | 0x20 == 0x65 else { return nil }
        var offset = word.lowerBound + 1
        var isNegative = false
        if offset < word.upperBound, bytes[offset] == 0x2B || bytes[offset] == 0x2D {
            isNegative = bytes[offset] == 0x2D
            offset += 1
        }
        guard offset < word.upperBound, word.upperBound - offset <= 4 else { return nil }
        var value = 0
        for i in offset..<word.upperBound {
            guard (0x30...0x39).contains(bytes[i]) else { return nil }
            value = value * 10 + Int(bytes[i] & 15)
        }
        return isNegative ? -value : value
    }

    private static func byStandardLibrary(_ bytes: [UInt8], _ word: Range<Int>) -> Double? {
        guard let value = Double(String(decoding: bytes[word], as: UTF8.self)), value.isFinite else { return nil }
        return value
    }
}
