/// Reads the usual row of a `.cube` file: three plain numbers with blanks between them. A table has tens of thousands,
/// and is read before the first photo can be begun.
enum CubeRow {
    /// Digits that a number may have here: as many as are exact in a `Double`, and so is their power of ten.
    private static let mostDigits = 15

    /// Appends the row at `at`, and goes behind its line end.
    ///
    /// - Returns: false for a line of any other kind, which was not touched.
    static func read(
        _ bytes: UnsafeBufferPointer<UInt8>, _ at: inout Int, into values: inout [Float]
    ) -> Bool {
        var place = at
        guard let red = number(bytes, &place), let green = number(bytes, &place), let blue = number(bytes, &place)
        else { return false }
        if bytes[place] == 0x0D { place += 1 }
        guard place < bytes.count, bytes[place] == 0x0A else { return false }
        values.append(red)
        values.append(green)
        values.append(blue)
        at = place + 1
        return true
    }

    /// A number without an exponent and the blanks before it; the blank or line end behind it is left.
    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ at: inout Int) -> Float? {
        var place = at
        while place < bytes.count, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
        if let millionths = millionths(bytes, place) {
            at = place + 8
            return Float(Double(millionths) / 1e6)
        }
        let start = place
        var mantissa: UInt64 = 0
        var dot: Int?
        while place < bytes.count {
            let digit = bytes[place] &- 0x30
            if digit < 10 {
                mantissa = mantissa &* 10 &+ UInt64(digit)
            } else if bytes[place] == 0x2E, dot == nil {
                dot = place
            } else {
                break
            }
            place += 1
        }
        let digits = place - start - (dot == nil ? 0 : 1)
        guard digits > 0, digits <= mostDigits, place < bytes.count, bytes[place] <= 0x20 else { return nil }
        at = place
        let value = Double(mantissa) / DecimalNumber.powers[dot.map { place - $0 - 1 } ?? 0]
        return value <= CubeLine.largest ? Float(value) : nil
    }

    /// A number of one digit, a dot and six digits, as nearly all programs write them, and then a blank or line end: its
    /// eight bytes at once (D. Lemire, 2021, "Number parsing at a gigabyte per second"). Nil for any other.
    private static func millionths(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> UInt64? {
        guard place + 8 < bytes.count, bytes[place + 1] == 0x2E, bytes[place + 8] <= 0x20 else { return nil }
        let text = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: place, as: UInt64.self)
        // A zero where the dot is.
        let digits = (UInt64(littleEndian: text) & ~0xFF00) | 0x3000
        // High halves of 3 in the bytes, and in them with 6 added, which lifts what is above 9.
        let high: UInt64 = 0xF0F0_F0F0_F0F0_F0F0
        let three: UInt64 = 0x3030_3030_3030_3030
        guard digits & high == three, (digits &+ 0x0606_0606_0606_0606) & high == three else { return nil }
        let values = digits &- three
        let pairs = (values &* 10) &+ (values >> 8)
        let even = (pairs & 0x0000_00FF_0000_00FF) &* (100 + (1_000_000 << 32))
        let odd = (pairs >> 16 & 0x0000_00FF_0000_00FF) &* (1 + (10_000 << 32))
        // The first digit counts ten millions there.
        return (even &+ odd) >> 32 &- (values & 0xFF) &* 9_000_000
    }
}
