extension [UInt8] {
    /// Two lower-case digits per byte.
    public var hex: String { String(decoding: hexDigits, as: UTF8.self) }

    /// Two lower-case digits per byte, as ASCII.
    public var hexDigits: [UInt8] {
        var digits: [UInt8] = []
        digits.reserveCapacity(count * 2)
        for byte in self {
            digits.append(digit(byte >> 4))
            digits.append(digit(byte & 15))
        }
        return digits
    }

    /// Nil unless the text is an even number of hexadecimal digits.
    public init?(hex: some StringProtocol) {
        let digits = hex.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == hex.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

private func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 87 + value }
