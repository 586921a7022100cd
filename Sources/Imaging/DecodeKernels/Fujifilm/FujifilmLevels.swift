/// Classifies steps between samples and interprets codes.
protocol FujifilmLevels: BitwiseCopyable {
    static var scaleCount: Int { get }
    /// Number of gradients, each with its own memory.
    static var gradientCount: Int { get }

    /// `scaleCount` scales, which outlive this value.
    init(bits: Int, scales: UnsafePointer<FujifilmScale>)

    /// The part of an odd column's gradient known before its western neighbour: -128 to 127. `first` is the step from
    /// the north-western sample to the northern one.
    func beginning(_ first: Int32) -> Int32

    /// A gradient's number; `sign` is all ones if it is negative. `first` is the step with the greater weight.
    func gradient(_ first: Int32, _ second: Int32) -> (number: Int32, sign: Int32)

    /// Completes the gradients of odd columns, four in each of two lines.
    func gradients(
        _ beginnings: SIMD8<Int32>, _ first: SIMD8<Int32>, _ second: SIMD8<Int32>
    ) -> (numbers: SIMD8<Int32>, signs: SIMD8<Int32>)

    func sample(
        _ plan: UnsafePointer<FujifilmPlan.Sample>, _ memories: UnsafeMutablePointer<FujifilmMemory>,
        _ reader: inout FujifilmReader
    ) -> UInt16
}

/// Properties of one gradient's codes, packed into 16 bytes.
struct FujifilmScale: BitwiseCopyable {
    /// Samples that differ by a multiple of this share a code.
    let period: Int32
    /// Maximum difference between a sample and its coded value.
    let tolerance: Int32
    /// In samples.
    let step: UInt16
    let lastCode: UInt16
    let valueBits: UInt8
    /// After this many zeros, an escaped value follows in plain bits.
    let maxZeros: UInt8

    /// Bits per sample: 12, 14 or 16. The tolerance is 0 if lossless, and at most 255.
    init(bits: Int, tolerance: Int) {
        let step = 2 * tolerance + 1
        let last = ((1 << bits - 1) + 2 * tolerance) / step
        let valueBits = Int.bitWidth - last.leadingZeroBitCount
        period = Int32(step * (last + 1))
        self.tolerance = Int32(tolerance)
        self.step = UInt16(step)
        lastCode = UInt16(last)
        self.valueBits = UInt8(valueBits)
        maxZeros = UInt8(4 * bits - valueBits - 1)
    }
}
