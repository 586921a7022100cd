/// Reads the codes of one strip. A value is a Golomb–Rice code: a unary quotient, a one, and as many remainder bits as
/// the gradient's memory states. After many zeros the value follows in plain bits.
struct FujifilmReader {
    /// Longer runs of zeros take the slow path. The limit is below the zeros of an escaped value. A load has at least
    /// 57 bits, of which fifteen may follow the one.
    @inline(__always)
    private static var usualZeros: UInt64 { 34 }

    private let start: UnsafePointer<UInt8>
    /// End of the strip plus one byte, in bits. LibRaw reads one zero byte after the strip, but never to its end.
    private let end: UInt64
    private var position: UInt64 = 0
    /// All checked values, ORed together.
    private var joined: UInt64 = 0

    init(_ data: borrowing EntropyData) {
        start = UnsafePointer(data.start)
        end = UInt64(data.count) * 8 + 8
    }

    /// Bytes beyond the end that a reader may load for `samples` samples.
    static func slack(samples: Int) -> Int { samples * (Int(usualZeros) + 1 + 63) / 8 + DifferenceReader.slack }

    /// False if a checked value has more than a sample's `bits`, or a code ends beyond the strip.
    func isSound(bits: Int) -> Bool { joined >> UInt64(bits) == 0 && position < end }

    /// Records a value for `isSound`. Unless a code is damaged, it has at most the bits of a sample.
    @inline(__always)
    mutating func note(_ number: UInt64) { joined |= number }

    /// The next code: the lowest bit is the sign, the rest the magnitude.
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
            // Keeps the terminating one.
            code = bits &>> (0 &- length) &+ (zeros &- 1) &<< parameter
        }
        memory.follow((code &+ 1) &>> 1)
        return code
    }

    /// Passes values, so that the position stays in a register.
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
        // A damaged code, reported by the check at the line's end.
        return (0, position + 1)
    }
}
