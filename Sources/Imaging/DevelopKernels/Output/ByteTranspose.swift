/// Transposes blocks of 8 × 8 bytes in three steps, which exchange halves, quarters and single bytes of rows (H. S.
/// Warren, 2012, "Hacker's Delight", chapter 7-3).
enum ByteTranspose {
    /// Rows and columns of a block.
    static let edge = 8

    /// `from` is the first row and `to` the row for the first column; the others follow at distances of `fromStride`
    /// and `toStride` bytes. `fromStride` may be negative.
    @inline(__always)
    static func transpose(
        _ from: UnsafePointer<UInt8>, _ fromStride: Int, to: UnsafeMutablePointer<UInt8>, _ toStride: Int
    ) {
        let half = from + 4 * fromStride
        // Vector elements are rows: all four exchanges of a step happen at once.
        var upper = SIMD4(row(from), row(from + fromStride), row(from + 2 * fromStride), row(from + 3 * fromStride))
        var lower = SIMD4(row(half), row(half + fromStride), row(half + 2 * fromStride), row(half + 3 * fromStride))
        exchange(&upper, &lower, 32, 0x0000_0000_ffff_ffff)
        // Order of the rows: 0 1 4 5 and 2 3 6 7 after this step, 0 2 4 6 and 1 3 5 7 after the next.
        (upper, lower) = (
            SIMD4(lowHalf: upper.lowHalf, highHalf: lower.lowHalf),
            SIMD4(lowHalf: upper.highHalf, highHalf: lower.highHalf)
        )
        exchange(&upper, &lower, 16, 0x0000_ffff_0000_ffff)
        (upper, lower) = (
            SIMD4(upper[0], lower[0], upper[2], lower[2]), SIMD4(upper[1], lower[1], upper[3], lower[3])
        )
        exchange(&upper, &lower, 8, 0x00ff_00ff_00ff_00ff)
        for pair in 0..<4 {
            store(upper[pair], to + 2 * pair * toStride)
            store(lower[pair], to + (2 * pair + 1) * toStride)
        }
    }

    @inline(__always)
    private static func row(_ start: UnsafePointer<UInt8>) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
    }

    @inline(__always)
    private static func store(_ row: UInt64, _ start: UnsafeMutablePointer<UInt8>) {
        UnsafeMutableRawPointer(start).storeBytes(of: row.littleEndian, as: UInt64.self)
    }

    @inline(__always)
    private static func exchange(
        _ upper: inout SIMD4<UInt64>, _ lower: inout SIMD4<UInt64>, _ shift: UInt64, _ mask: UInt64
    ) {
        let difference = ((upper &>> shift) ^ lower) & mask
        lower ^= difference
        upper ^= difference &<< shift
    }
}
