/// Levels of a lossy strip. Every six rows have a tolerance. Where the steps around a sample are small, a finer scale
/// with its own gradients applies.
struct FujifilmCoarseLevels: FujifilmLevels {
    static let scaleCount = gradientCount
    static let gradientCount = FujifilmExactLevels.gradientCount + fineScaleCount * fineGradientCount
    /// Scales with tolerances 0, 1 and 2, for a sum of both steps of at most 5, 6 and 7.
    static let fineScaleCount = 3
    static let fineGradientCount = 5
    private static let fineSteps: Int32 = 4
    /// Index at which the gradients of a fine scale before the first would begin.
    private static let fineStart = Int32(FujifilmExactLevels.gradientCount - fineGradientCount)

    private let scales: UnsafePointer<FujifilmScale>
    private let greatest: Int32
    private let thresholds: (Int32, Int32, Int32, Int32)
    /// Number of fine scales that are finer than the rows' scale.
    private let fineScales: Int32

    init(bits: Int, scales: UnsafePointer<FujifilmScale>) {
        self.scales = scales
        greatest = 1 << Int32(bits) - 1
        let tolerance = scales.pointee.tolerance
        thresholds = (tolerance + 1, 3 * tolerance + 0x12, 5 * tolerance + 0x43, 7 * tolerance + 0x114)
        fineScales = min(tolerance, Int32(Self.fineScaleCount))
    }

    static func tolerance(gradient: Int, ofRows tolerance: Int) -> Int {
        let fine = gradient - FujifilmExactLevels.gradientCount
        return fine < 0 ? tolerance : fine / fineGradientCount
    }

    /// Classifies a step as -4 to 4.
    @inline(__always)
    private func quantised(_ step: Int32) -> Int32 {
        let size = abs(step)
        let level =
            FujifilmPlan.isLess(thresholds.0 &- 1, size) &+ FujifilmPlan.isLess(thresholds.1 &- 1, size)
            &+ FujifilmPlan.isLess(thresholds.2 &- 1, size) &+ FujifilmPlan.isLess(thresholds.3 &- 1, size)
        let sign = step &>> 31
        return sign &- (level ^ sign)
    }

    /// Classifies a small step as -1 to 1.
    @inline(__always)
    private func quantised(_ step: Int32, fineScale: Int32) -> Int32 {
        let level = FujifilmPlan.isLess(fineScale &- 1, abs(step))
        let sign = step &>> 31
        return sign &- (level ^ sign)
    }

    /// 0, because the scale depends on both steps.
    @inline(__always)
    func beginning(_ first: Int32) -> Int32 { 0 }

    @inline(__always)
    func gradient(_ first: Int32, _ second: Int32) -> (number: Int32, sign: Int32) {
        // At least 1.
        let fineScale = max(abs(first) &+ abs(second) &- Self.fineSteps, 1)
        let isFine = FujifilmPlan.isLess(fineScale &- 1, fineScales)
        let usual = 9 &* quantised(first) &+ quantised(second)
        let fine = 3 &* quantised(first, fineScale: fineScale) &+ quantised(second, fineScale: fineScale)
        let gradient = usual ^ ((usual ^ fine) & isFine)
        let start = Self.fineStart &+ fineScale &* Int32(Self.fineGradientCount)
        return (abs(gradient) &+ (start & isFine), gradient &>> 31)
    }

    @inline(__always)
    func gradients(
        _ beginnings: SIMD8<Int32>, _ first: SIMD8<Int32>, _ second: SIMD8<Int32>
    ) -> (numbers: SIMD8<Int32>, signs: SIMD8<Int32>) {
        let (firstSign, secondSign) = (first &>> 31, second &>> 31)
        let (firstSize, secondSize) = ((first ^ firstSign) &- firstSign, (second ^ secondSign) &- secondSign)
        let steps = firstSize &+ secondSize &- Self.fineSteps
        let fineScale = steps &- ((steps &- 1) & ((steps &- 1) &>> 31))
        let isFine = (fineScale &- 1 &- fineScales) &>> 31
        @inline(__always)
        func usual(_ size: SIMD8<Int32>, _ sign: SIMD8<Int32>) -> SIMD8<Int32> {
            let level =
                ((thresholds.0 &- 1 &- size) &>> 31) &+ ((thresholds.1 &- 1 &- size) &>> 31)
                &+ ((thresholds.2 &- 1 &- size) &>> 31) &+ ((thresholds.3 &- 1 &- size) &>> 31)
            return sign &- (level ^ sign)
        }
        @inline(__always)
        func fine(_ size: SIMD8<Int32>, _ sign: SIMD8<Int32>) -> SIMD8<Int32> {
            let level = (fineScale &- 1 &- size) &>> 31
            return sign &- (level ^ sign)
        }
        let coarse = 9 &* usual(firstSize, firstSign) &+ usual(secondSize, secondSign)
        let close = 3 &* fine(firstSize, firstSign) &+ fine(secondSize, secondSign)
        let gradient = coarse ^ ((coarse ^ close) & isFine)
        let sign = gradient &>> 31
        let start = (Self.fineStart &+ fineScale &* Int32(Self.fineGradientCount)) & isFine
        return (((gradient ^ sign) &- sign) &+ start, sign)
    }

    @inline(__always)
    func sample(
        _ plan: UnsafePointer<FujifilmPlan.Sample>, _ memories: UnsafeMutablePointer<FujifilmMemory>,
        _ reader: inout FujifilmReader
    ) -> UInt16 {
        let scale = scales + Int(plan.pointee.gradient)
        let code = reader.code(&memories[Int(plan.pointee.gradient)], scale)
        reader.note(UInt64(scale.pointee.lastCode) &- code)
        let magnitude = Int32(truncatingIfNeeded: (code &+ 1) &>> 1)
        let sign = Int32(plan.pointee.sign) ^ (0 &- Int32(truncatingIfNeeded: code & 1))
        let sample =
            Int32(plan.pointee.prediction) &+ ((magnitude ^ sign) &- sign) &* Int32(scale.pointee.step)
        guard _slowPath(UInt32(bitPattern: sample) > UInt32(bitPattern: greatest)) else {
            return UInt16(truncatingIfNeeded: sample)
        }
        return inRange(sample, scale)
    }

    /// Brings a sample into range: by one period, or clamped if it is within the tolerance.
    @inline(never)
    private func inRange(_ sample: Int32, _ scale: UnsafePointer<FujifilmScale>) -> UInt16 {
        let (tolerance, period) = (scale.pointee.tolerance, scale.pointee.period)
        let moved =
            sample < -tolerance ? sample &+ period : sample > tolerance + greatest ? sample &- period : sample
        return UInt16(truncatingIfNeeded: min(max(moved, 0), greatest))
    }
}
