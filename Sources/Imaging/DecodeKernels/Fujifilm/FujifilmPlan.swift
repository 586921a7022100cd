/// What the lines above say of a line's samples before any of its codes is read: vectors of it.
///
/// A sample in an even column is predicted from the line above and the one above that alone, so that its prediction and the
/// gradient by which its code is read are known; of one in an odd column, the half of them.
enum FujifilmPlan {
    /// What is known of a sample. Loaded number by number, which takes fewer steps than parts of a word.
    ///
    /// An odd column has this only when the samples on either side are known, and until then, in the same places, its northern
    /// neighbour, all ones where that is above both its own neighbours or below, and the beginning of its gradient.
    struct Sample {
        let prediction: UInt16
        /// Its number.
        let gradient: UInt8
        /// All ones where the gradient is negative.
        let sign: Int8
    }

    /// Odd columns that are completed together.
    static let together = 4

    /// All ones or none.
    @inline(__always)
    static func isLess(_ one: Int32, _ other: Int32) -> Int32 { (one &- other) &>> 31 }

    /// A sample, and the one behind it above its 16 bits.
    @inline(__always)
    private static func two(_ line: UnsafePointer<UInt16>, _ x: Int) -> UInt32 {
        UInt32(littleEndian: UnsafeRawPointer(line + x).loadUnaligned(as: UInt32.self))
    }

    @inline(__always)
    private static func low(_ two: UInt32) -> Int32 { Int32(bitPattern: two & 0xffff) }

    /// - Parameters:
    ///   - above: the line above, with a sample more at each end.
    ///   - farAbove: the line above that.
    ///   - count: how many even columns there are, and odd ones.
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
            // The neighbour that is the least alike does not count.
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

    /// `together` odd columns of a line whose western and eastern neighbours are known.
    struct Odd {
        let plans: UnsafeMutablePointer<Sample>
        /// From the western neighbour of the first of them on.
        let line: UnsafePointer<UInt16>
        /// Likewise of the line above.
        let above: UnsafePointer<UInt16>
    }

    /// Completes columns of two lines.
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

    /// Every second of eight samples of two lines; words have their first sample in the lower half.
    @inline(__always)
    private static func everySecond(_ one: UnsafePointer<UInt16>, _ other: UnsafePointer<UInt16>) -> SIMD8<Int32> {
        words(one, other) & 0xffff
    }

    /// Makes predictions of even columns the samples. Odd columns become 0.
    static func store(_ even: UnsafePointer<Sample>, count: Int, to line: UnsafeMutablePointer<UInt16>) {
        let pairs = UnsafeMutableRawPointer(line)
        for index in 0..<count {
            let plan = UnsafeRawPointer(even + index).load(as: UInt32.self)
            pairs.storeBytes(of: plan & UInt32(0xffff).littleEndian, toByteOffset: 4 &* index, as: UInt32.self)
        }
    }

    /// Stores a plan as one word.
    @inline(__always)
    private static func store(_ sample: Int32, _ second: Int32, _ third: Int32, to plan: UnsafeMutableRawPointer) {
        let word =
            UInt32(bitPattern: sample) & 0xffff | UInt32(bitPattern: second & 0xff) &<< 16
            | UInt32(bitPattern: third) &<< 24
        plan.storeBytes(of: word.littleEndian, as: UInt32.self)
    }
}
