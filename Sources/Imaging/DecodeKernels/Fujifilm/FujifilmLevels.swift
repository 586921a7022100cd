/// How a strip tells steps between samples apart, and what its codes stand for.
protocol FujifilmLevels: BitwiseCopyable {
    /// How many scales there are; see `init`.
    static var scaleCount: Int { get }
    /// How many gradients there are, each with a memory of its own.
    static var gradientCount: Int { get }

    /// - Parameters:
    ///   - bits: of a sample.
    ///   - scales: `scaleCount` of them, which it may read later.
    init(bits: Int, scales: UnsafePointer<FujifilmScale>)

    /// What is known of an odd column's gradient before the sample in the west is: from -128 to 127.
    ///
    /// - Parameter first: the step from the sample in the north-west to that in the north.
    func beginning(_ first: Int32) -> Int32

    /// The number of a gradient, and all ones where it is negative.
    ///
    /// - Parameters:
    ///   - first: the step that weighs more.
    ///   - second: the other step.
    func gradient(_ first: Int32, _ second: Int32) -> (number: Int32, sign: Int32)

    /// The same of odd columns that have begun, four of each of two lines.
    func gradients(
        _ beginnings: SIMD8<Int32>, _ first: SIMD8<Int32>, _ second: SIMD8<Int32>
    ) -> (numbers: SIMD8<Int32>, signs: SIMD8<Int32>)

    /// The next sample.
    func sample(
        _ plan: UnsafePointer<FujifilmPlan.Sample>, _ memories: UnsafeMutablePointer<FujifilmMemory>,
        _ reader: inout FujifilmReader
    ) -> UInt16
}

/// What a code stands for, in numbers so small that 16 bytes hold them.
struct FujifilmScale: BitwiseCopyable {
    /// Samples so far apart have the same code.
    let period: Int32
    /// How far a sample may be from the one that was coded.
    let tolerance: Int32
    /// From one value to the next, in samples.
    let step: UInt16
    let lastCode: UInt16
    /// Bits of a value that is written as it is.
    let valueBits: UInt8
    /// Behind so many zeros a value follows as it is.
    let maxZeros: UInt8

    /// - Parameters:
    ///   - bits: of a sample: 12, 14 or 16.
    ///   - tolerance: 0 without loss; at most 255.
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
