/// What is remembered of the codes that followed a gradient: the sum of their values' magnitudes, how many they were, and how
/// many bits of the next code are written as they are, so that those stand for the mean. In one word, from the sum down.
struct FujifilmMemory {
    /// Above it the sum and the count are halved.
    private static let maxCount: UInt64 = 64

    private var word: UInt64

    /// - Parameter bits: of a sample.
    init(bits: Int) {
        let sum = UInt64(1) << UInt64(max(bits - 6, 1))
        word = sum << 32 | 1 << 8 | UInt64(max(bits - 6, 1))
    }

    /// At most 32, and at most 15 as long as no code is damaged.
    @inline(__always)
    var parameter: UInt64 { word & 0xff }

    /// - Parameter magnitude: of a value that followed.
    @inline(__always)
    mutating func follow(_ magnitude: UInt64) {
        let count = word &>> 8 & 0xff
        let halving = count / Self.maxCount
        let nextCount = UInt32(truncatingIfNeeded: count &>> halving &+ 1)
        let sum = UInt32(truncatingIfNeeded: (word &>> 32 &+ magnitude) &>> halving)
        // The least number of places by which the count must be moved to reach the sum.
        let places = max(nextCount.leadingZeroBitCount &- sum.leadingZeroBitCount, 0)
        let moved = nextCount &<< UInt32(truncatingIfNeeded: places)
        let parameter = UInt64(truncatingIfNeeded: places) &+ (moved < sum ? 1 : 0)
        word = UInt64(sum) &<< 32 | UInt64(nextCount) &<< 8 | parameter
    }
}
