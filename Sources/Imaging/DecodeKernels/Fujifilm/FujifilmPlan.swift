/// Predictions of a line's samples from the lines above, computed in vectors before reading any code. Even columns
/// depend only on the two lines above, so prediction and gradient are complete. Odd columns are half known.
enum FujifilmPlan {
    /// The plan of one sample. Separate fields load faster than parts of a word.
    ///
    /// An odd column is complete once both neighbours are known. Until then its fields hold the northern neighbour, a
    /// mask that is all ones if that neighbour is a local extreme, and the beginning of the gradient.
    struct Sample {
        let prediction: UInt16
        let gradient: UInt8
        /// All ones if the gradient is negative.
        let sign: Int8
    }

    static let together = 4

    /// All ones or zero.
    @inline(__always)
    static func isLess(_ one: Int32, _ other: Int32) -> Int32 { (one &- other) &>> 31 }

    /// A sample in the low 16 bits, and the next one above.
    @inline(__always)
    private static func two(_ line: UnsafePointer<UInt16>, _ x: Int) -> UInt32 {
        UInt32(littleEndian: UnsafeRawPointer(line + x).loadUnaligned(as: UInt32.self))
    }

    @inline(__always)
    private static func low(_ two: UInt32) -> Int32 { Int32(bitPattern: two & 0xffff) }

    /// The lines above have an extra sample at each end. `count` is the number of even columns, and of odd columns.
    static func make(
        _ levels: some FujifilmLevels, above: UnsafePointer<UInt16>, farAbove: UnsafePointer<UInt16>, count: Int,
        even: UnsafeMutablePointer<Sample>, odd: UnsafeMutablePointer<Sample>
    ) {
        for index in 0..<count {
            let here = two(above, 2 &* index)
            let (north, east) = (low(here), low(here &>> 16))
            let west = low(two(above, 2 &* index &- 1))
            let farNorth = low(two(farAbove, 2 &* index))
            let (westStep, farStep, eastStep) = (abs(west &- north), abs(farNorth &- north), abs(east &- north))
            // Ignores the least similar neighbour.
            let leastAlike =
                farNorth ^ ((farNorth ^ west) & isLess(max(farStep, eastStep), westStep))
                ^ ((farNorth ^ east) & isLess(max(farStep, westStep), eastStep))
            let prediction = (west &+ east &+ farNorth &- leastAlike &+ 2 &* north) &>> 2
            let (gradient, sign) = levels.gradient(north &- farNorth, west &- north)
            store(prediction, gradient, sign, to: even + index)
        }
        for index in 0..<count {
            let here = two(above, 2 &* index)
            let (west, north) = (low(here), low(here &>> 16))
            let east = low(two(above, 2 &* index &+ 2))
            let isExtreme = isLess(max(west, east), north) | isLess(north, min(west, east))
            store(north, isExtreme, levels.beginning(north &- west), to: odd + index)
        }
    }

    /// `together` odd columns of a line with known western and eastern neighbours.
    struct Odd {
        let plans: UnsafeMutablePointer<Sample>
        /// Starts with the first column's western neighbour.
        let line: UnsafePointer<UInt16>
        /// The line above, from the same place.
        let above: UnsafePointer<UInt16>
    }

    @inline(__always)
    static func complete(_ one: Odd, _ other: Odd, _ levels: some FujifilmLevels) {
        let (west, east) = (everySecond(one.line, other.line), everySecond(one.line + 2, other.line + 2))
        let northWest = everySecond(one.above, other.above)
        let plan = words(one.plans, other.plans)
        let north = plan & 0xffff
        let isExtreme = (plan &<< 8) &>> 24
        let (gradients, signs) = levels.gradients(plan &>> 24, north &- northWest, northWest &- west)
        let both = west &+ east
        let prediction = (both &+ (both ^ ((both ^ (north &+ north)) & isExtreme))) &>> 2
        let completed = prediction | gradients &<< 16 | signs &<< 24
        UnsafeMutableRawPointer(one.plans).storeBytes(of: completed.lowHalf, as: SIMD4<Int32>.self)
        UnsafeMutableRawPointer(other.plans).storeBytes(of: completed.highHalf, as: SIMD4<Int32>.self)
    }

    @inline(__always)
    private static func words(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer) -> SIMD8<Int32> {
        SIMD8(
            lowHalf: one.loadUnaligned(as: SIMD4<Int32>.self), highHalf: other.loadUnaligned(as: SIMD4<Int32>.self))
    }

    /// Every other of eight samples in two lines. A word has its first sample in the low half.
    @inline(__always)
    private static func everySecond(_ one: UnsafePointer<UInt16>, _ other: UnsafePointer<UInt16>) -> SIMD8<Int32> {
        words(one, other) & 0xffff
    }

    /// Stores the predictions of even columns as samples. Odd columns become 0.
    static func store(_ even: UnsafePointer<Sample>, count: Int, to line: UnsafeMutablePointer<UInt16>) {
        let pairs = UnsafeMutableRawPointer(line)
        for index in 0..<count {
            let plan = UnsafeRawPointer(even + index).load(as: UInt32.self)
            pairs.storeBytes(of: plan & UInt32(0xffff).littleEndian, toByteOffset: 4 &* index, as: UInt32.self)
        }
    }

    @inline(__always)
    private static func store(_ sample: Int32, _ second: Int32, _ third: Int32, to plan: UnsafeMutableRawPointer) {
        let word =
            UInt32(bitPattern: sample) & 0xffff | UInt32(bitPattern: second & 0xff) &<< 16
            | UInt32(bitPattern: third) &<< 24
        plan.storeBytes(of: word.littleEndian, as: UInt32.self)
    }
}
