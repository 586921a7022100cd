/// Reads the codes of one strip.
///
/// A value is a code of Golomb and Rice: zeros up to a one, and as many bits as the gradient's memory says; or behind many zeros
/// all bits of it.
struct FujifilmReader {
    /// Behind more zeros a code needs a closer look: fewer than stand before a value that is written as it is. A load has at
    /// least 57 bits, of which fifteen may follow the one.
    @inline(__always)
    private static var usualZeros: UInt64 { 34 }

    private let start: UnsafePointer<UInt8>
    /// In bits. LibRaw reads a byte of zeros behind the strip, but not to its end.
    private let end: UInt64
    private var position: UInt64 = 0
    /// The bits of all numbers that were noted.
    private var joined: UInt64 = 0

    init(_ data: borrowing EntropyData) {
        start = UnsafePointer(data.start)
        end = UInt64(data.count) * 8 + 8
    }

    /// How far a reader may run beyond its end while it reads so many samples.
    static func slack(samples: Int) -> Int { samples * (Int(usualZeros) + 1 + 63) / 8 + DifferenceReader.slack }

    /// False where a number that was noted has more bits than a sample, or a code ends beyond the strip.
    ///
    /// - Parameter bits: of a sample.
    func isSound(bits: Int) -> Bool { joined >> UInt64(bits) == 0 && position < end }

    /// Notes a number that has no more bits than a sample as long as no code is damaged.
    @inline(__always)
    mutating func note(_ number: UInt64) { joined |= number }

    /// The next code. Its lowest bit says whether the value is negative, and half of what is above zero is the magnitude.
    @inline(__always)
    mutating func code(_ memory: inout FujifilmMemory, _ scale: UnsafePointer<FujifilmScale>) -> UInt64 {
        let bits = DifferenceReader.bits(start, at: position)
        let zeros = UInt64(truncatingIfNeeded: bits.leadingZeroBitCount)
        let parameter = UInt64(memory.parameter)
        var code: UInt64
        if _slowPath(zeros > Self.usualZeros) {
            (code, position) = Self.longCode(start, position, end: end, parameter, scale)
        } else {
            let length = zeros &+ parameter &+ 1
            position &+= length
            // From the one on.
            code = bits &>> (0 &- length) &+ (zeros &- 1) &<< parameter
        }
        memory.follow((code &+ 1) &>> 1)
        return code
    }

    /// Takes and returns values, so that the position stays in a register.
    @inline(never)
    private static func longCode(
        _ start: UnsafePointer<UInt8>, _ first: UInt64, end: UInt64, _ parameter: UInt64,
        _ scale: UnsafePointer<FujifilmScale>
    ) -> (code: UInt64, position: UInt64) {
        var position = first
        var zeros: UInt64 = 0
        while position < end {
            let more = UInt64(DifferenceReader.bits(start, at: position).leadingZeroBitCount)
            guard more < 57 else {
                position += 57
                zeros += 57
                continue
            }
            position += more + 1
            zeros += more
            let isUsual = zeros < UInt64(scale.pointee.maxZeros)
            let count = isUsual ? parameter : UInt64(scale.pointee.valueBits)
            let rest = (DifferenceReader.bits(start, at: position) &>> 1) &>> (63 &- count)
            return (isUsual ? zeros &<< parameter &+ rest : rest + 1, position + count)
        }
        // Damaged, and known to be so as soon as the line ends.
        return (0, position + 1)
    }
}
