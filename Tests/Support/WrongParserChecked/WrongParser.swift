/// A parser with deliberate faults, to show the effect of the compiler's settings.
///
/// `WrongParserChecked` is compiled like modules that parse, `WrongParserUnchecked` like kernel modules. The sources
/// are the same: the second file is a link to the first.
public enum WrongParser {
    /// The sum of a record's bytes. The first byte is their count.
    ///
    /// FAULTY on purpose: the count is not compared with the record's length.
    @inline(never)
    public static func sum(_ record: [UInt8]) -> Int {
        var sum = 0
        for index in 1...Int(record[0]) { sum += Int(record[index]) }
        return sum
    }

    /// The pixels of a picture, whose width and height are two 16-bit numbers.
    ///
    /// FAULTY on purpose: the product of two 16-bit numbers does not fit into 16 bits.
    @inline(never)
    public static func pixelCount(_ record: [UInt8]) -> UInt16 {
        let width = UInt16(record[0]) << 8 | UInt16(record[1])
        let height = UInt16(record[2]) << 8 | UInt16(record[3])
        return width * height
    }
}
