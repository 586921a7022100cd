/// What is remembered of the codes that followed a gradient, as numbers of their own: put together in a word they took longer.
struct FujifilmMemory {
    /// Above it the sum and the count are halved.
    private static let maxCount: UInt32 = 64

    /// Of the values' magnitudes.
    private var sum: UInt32
    private var count: UInt16 = 1
    /// How many bits of the next code are written as they are, so that those stand for the mean. At most 32, and at most 15
    /// as long as no code is damaged.
    private(set) var parameter: UInt16

    /// - Parameter scale: of the values.
    init(_ scale: FujifilmScale) {
        sum = max(2, (UInt32(scale.lastCode) + 33) >> 6)
        parameter = UInt16(32 - (sum - 1).leadingZeroBitCount)
    }

    /// - Parameter magnitude: of a value that followed.
    @inline(__always)
    mutating func follow(_ magnitude: UInt64) {
        let halving = UInt32(count) / Self.maxCount
        let nextCount = UInt32(count) &>> halving &+ 1
        let nextSum = (sum &+ UInt32(truncatingIfNeeded: magnitude)) &>> halving
        // The least number of places by which the count must be moved to reach the sum.
        let places = nextCount.leadingZeroBitCount &- (nextCount | nextSum).leadingZeroBitCount
        let moved = nextCount &<< UInt32(truncatingIfNeeded: places)
        sum = nextSum
        count = UInt16(truncatingIfNeeded: nextCount)
        parameter = UInt16(truncatingIfNeeded: places) &+ (moved < nextSum ? 1 : 0)
    }
}
