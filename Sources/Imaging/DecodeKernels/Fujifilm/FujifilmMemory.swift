/// Adaptive statistics of a gradient. Separate numbers are faster than a packed word.
struct FujifilmMemory {
    /// Above this count, sum and count are halved.
    private static let maxCount: UInt32 = 64

    private var sum: UInt32
    private var count: UInt16 = 1
    /// Plain bits of the next code, chosen for the mean magnitude. At most 32; at most 15 unless a code is damaged.
    private(set) var parameter: UInt16

    init(_ scale: FujifilmScale) {
        sum = max(2, (UInt32(scale.lastCode) + 33) >> 6)
        parameter = UInt16(32 - (sum - 1).leadingZeroBitCount)
    }

    @inline(__always)
    mutating func follow(_ magnitude: UInt64) {
        let halving = UInt32(count) / Self.maxCount
        let nextCount = UInt32(count) &>> halving &+ 1
        let nextSum = (sum &+ UInt32(truncatingIfNeeded: magnitude)) &>> halving
        // The smallest shift that raises the count to the sum.
        let places = nextCount.leadingZeroBitCount &- (nextCount | nextSum).leadingZeroBitCount
        let moved = nextCount &<< UInt32(truncatingIfNeeded: places)
        sum = nextSum
        count = UInt16(truncatingIfNeeded: nextCount)
        parameter = UInt16(truncatingIfNeeded: places) &+ (moved < nextSum ? 1 : 0)
    }
}
