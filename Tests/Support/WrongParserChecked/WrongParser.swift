/// A parser that is wrong on purpose, to show what the compiler's settings do about it.
///
/// `WrongParserChecked` is compiled as the modules that parse are, `WrongParserUnchecked` as kernel modules are. The
/// source is the same: the file of the second is a link to that of the first.
public enum WrongParser {
    /// The sum of a record's bytes. The first byte is their count.
    ///
    /// WRONG on purpose: the count is not compared with the record's length.
    @inline(never)
    public static func sum(_ record: [UInt8]) -> Int {
        var sum = 0
        for index in 1...Int(record[0]) { sum += Int(record[index]) }
        return sum
    }

    /// The pixels of a picture, whose width and height are two 16-bit numbers.
    ///
    /// WRONG on purpose: the product of two 16-bit numbers does not fit into 16 bits.
    @inline(never)
    public static func pixelCount(_ record: [UInt8]) -> UInt16 {
        let width = UInt16(record[0]) << 8 | UInt16(record[1])
        let height = UInt16(record[2]) << 8 | UInt16(record[3])
        return width * height
    }
}
