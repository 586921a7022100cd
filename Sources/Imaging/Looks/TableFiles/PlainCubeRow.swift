/// Fast path for the usual row of a `.cube` file: three plain numbers separated by blanks. A table has tens of
/// thousands of rows and is read before the first photo begins.
enum PlainCubeRow {
    /// Maximum digits of a number here, so that the digits and their power of ten are exact in a `Double`.
    private static let maxDigits = 15

    /// Appends the row at `offset` to `values`, and moves `offset` past its line end.
    ///
    /// - Returns: false, without effect, for a line of another form.
    static func read(_ bytes: Span<UInt8>, _ offset: inout Int, into values: inout [Float]) -> Bool {
        var end = offset
        guard let red = number(bytes, &end), let green = number(bytes, &end), let blue = number(bytes, &end) else {
            return false
        }
        if bytes[end] == 0x0D { end += 1 }
        guard end < bytes.count, bytes[end] == 0x0A else { return false }
        values.append(red)
        values.append(green)
        values.append(blue)
        offset = end + 1
        return true
    }

    /// A number without sign and exponent, after any blanks. `offset` moves to the following blank or line end, inside
    /// the bytes. Nil for other text.
    private static func number(_ bytes: Span<UInt8>, _ offset: inout Int) -> Float? {
        var end = offset
        while end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x09 { end += 1 }
        if let millionths = millionths(bytes, end) {
            offset = end + 8
            return Float(Double(millionths) / 1e6)
        }
        let start = end
        var mantissa: UInt64 = 0
        var dot: Int?
        while end < bytes.count {
            let digit = bytes[end] &- 0x30
            if digit < 10 {
                // Overflows for more than `maxDigits` digits; such numbers are refused below.
                mantissa = mantissa &* 10 &+ UInt64(digit)
            } else if bytes[end] == 0x2E, dot == nil {
                dot = end
            } else {
                break
            }
            end += 1
        }
        let digits = end - start - (dot == nil ? 0 : 1)
        guard digits > 0, digits <= maxDigits, end < bytes.count, bytes[end] <= 0x20 else { return nil }
        offset = end
        let value = Double(mantissa) / DecimalNumber.powers[dot.map { end - $0 - 1 } ?? 0]
        return value <= CubeLine.maxValue ? Float(value) : nil
    }

    /// The usual form of one digit, a dot and six digits, followed by a blank or line end: reads its eight bytes at
    /// once (D. Lemire, 2021, "Number parsing at a gigabyte per second"). Nil for other forms.
    private static func millionths(_ bytes: Span<UInt8>, _ offset: Int) -> UInt64? {
        guard offset + 8 < bytes.count, bytes[offset + 1] == 0x2E, bytes[offset + 8] <= 0x20 else { return nil }
        // Any eight bytes are a valid integer; the span checks their range.
        let text = unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
        // A zero replaces the dot.
        let digits = (UInt64(littleEndian: text) & ~0xFF00) | 0x3000
        // The high halves of digits are 3, and stay 3 after adding 6, which would carry for larger bytes.
        let high: UInt64 = 0xF0F0_F0F0_F0F0_F0F0
        let three: UInt64 = 0x3030_3030_3030_3030
        guard digits & high == three, (digits &+ 0x0606_0606_0606_0606) & high == three else { return nil }
        let values = digits &- three
        let pairs = (values &* 10) &+ (values >> 8)
        let even = (pairs & 0x0000_00FF_0000_00FF) &* (100 + (1_000_000 << 32))
        let odd = (pairs >> 16 & 0x0000_00FF_0000_00FF) &* (1 + (10_000 << 32))
        // The first digit was counted as ten millions instead of one.
        return (even &+ odd) >> 32 &- (values & 0xFF) &* 9_000_000
    }
}
