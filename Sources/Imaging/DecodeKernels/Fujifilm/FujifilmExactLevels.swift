struct FujifilmExactLevels: FujifilmLevels {
    static let scaleCount = 1
    static let gradientCount = 41
    private static let thresholds: (Int32, Int32, Int32) = (0x12, 0x43, 0x114)

    private let scale: UnsafePointer<FujifilmScale>
    private let greatest: Int32

    init(bits: Int, scales: UnsafePointer<FujifilmScale>) {
        scale = scales
        greatest = 1 << Int32(bits) - 1
    }

    /// Classifies a step as -4 to 4.
    @inline(__always)
    private static func quantised(_ step: Int32) -> Int32 {
        let size = abs(step)
        // The compiler would turn comparisons into masks that spill to memory.
        let level =
            FujifilmPlan.isLess(0, size) &+ FujifilmPlan.isLess(thresholds.0 &- 1, size)
            &+ FujifilmPlan.isLess(thresholds.1 &- 1, size) &+ FujifilmPlan.isLess(thresholds.2 &- 1, size)
        let sign = step &>> 31
        return sign &- (level ^ sign)
    }

    @inline(__always)
    private static func quantised(_ step: SIMD8<Int32>) -> SIMD8<Int32> {
        let sign = step &>> 31
        let size = (step ^ sign) &- sign
        let level =
            ((0 &- size) &>> 31) &+ ((thresholds.0 &- 1 &- size) &>> 31) &+ ((thresholds.1 &- 1 &- size) &>> 31)
            &+ ((thresholds.2 &- 1 &- size) &>> 31)
        return sign &- (level ^ sign)
    }

    @inline(__always)
    func beginning(_ first: Int32) -> Int32 { 9 &* Self.quantised(first) }

    @inline(__always)
    func gradient(_ first: Int32, _ second: Int32) -> (number: Int32, sign: Int32) {
        let gradient = 9 &* Self.quantised(first) &+ Self.quantised(second)
        return (abs(gradient), gradient &>> 31)
    }

    @inline(__always)
    func gradients(
        _ beginnings: SIMD8<Int32>, _ first: SIMD8<Int32>, _ second: SIMD8<Int32>
    ) -> (numbers: SIMD8<Int32>, signs: SIMD8<Int32>) {
        let gradient = beginnings &+ Self.quantised(second)
        let sign = gradient &>> 31
        return ((gradient ^ sign) &- sign, sign)
    }

    @inline(__always)
    func sample(
        _ plan: UnsafePointer<FujifilmPlan.Sample>, _ memories: UnsafeMutablePointer<FujifilmMemory>,
        _ reader: inout FujifilmReader
    ) -> UInt16 {
        let code = reader.code(&memories[Int(plan.pointee.gradient)], scale)
        reader.note(code)
        let magnitude = Int32(truncatingIfNeeded: (code &+ 1) &>> 1)
        let sign = Int32(plan.pointee.sign) ^ (0 &- Int32(truncatingIfNeeded: code & 1))
        let sample = Int32(plan.pointee.prediction) &+ ((magnitude ^ sign) &- sign)
        return UInt16(truncatingIfNeeded: sample & greatest)
    }
}
