/// Classification of steps between samples, and the meaning of codes.
protocol FujifilmLevels: BitwiseCopyable {
    /// Number of scales; see `init`.
    static var scaleCount: Int { get }
    /// Number of gradients, each with a separate memory.
    static var gradientCount: Int { get }

    /// - Parameters:
    ///   - bits: bits per sample.
    ///   - scales: `scaleCount` scales, which must outlive this value.
    init(bits: Int, scales: UnsafePointer<FujifilmScale>)

    /// The part of an odd column's gradient that is known before its western neighbour: -128 to 127.
    ///
    /// - Parameter first: the step from the north-western sample to the northern one.
    func beginning(_ first: Int32) -> Int32

    /// The number of a gradient; `sign` is all ones if it is negative.
    ///
    /// - Parameters:
    ///   - first: the step with the greater weight.
    ///   - second: the other step.
    func gradient(_ first: Int32, _ second: Int32) -> (number: Int32, sign: Int32)

    /// Completes the gradients of odd columns: four of each of two lines.
    func gradients(
        _ beginnings: SIMD8<Int32>, _ first: SIMD8<Int32>, _ second: SIMD8<Int32>
    ) -> (numbers: SIMD8<Int32>, signs: SIMD8<Int32>)

    /// The sample for a prediction and a code.
    func sample(
        _ plan: UnsafePointer<FujifilmPlan.Sample>, _ memories: UnsafeMutablePointer<FujifilmMemory>,
        _ reader: inout FujifilmReader
    ) -> UInt16
}

/// Properties of the codes of one gradient, packed into 16 bytes.
struct FujifilmScale: BitwiseCopyable {
    /// Samples that differ by a multiple of this have the same code.
    let period: Int32
    /// Maximum difference between a sample and its coded value.
    let tolerance: Int32
    /// Quantisation step, in samples.
    let step: UInt16
    let lastCode: UInt16
    /// Bits of an escaped value.
    let valueBits: UInt8
    /// After this many zeros, an escaped value follows in plain bits.
    let maxZeros: UInt8

    /// - Parameters:
    ///   - bits: bits per sample: 12, 14 or 16.
    ///   - tolerance: 0 if lossless; at most 255.
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
