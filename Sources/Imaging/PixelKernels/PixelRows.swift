/// Rows of interleaved three-channel pixels.
public enum PixelRows {
    /// Splits a row into three planes. One loop for all three vectorises with shuffles; three loops do not.
    ///
    /// - Parameters:
    ///   - row: three times `count` samples.
    ///   - count: pixels.
    ///   - first: receives `count` samples, as do `second` and `third`. They overlap neither each other nor the row.
    @inline(__always)
    public static func separate(
        _ row: UnsafePointer<UInt16>, count: Int, into first: UnsafeMutablePointer<UInt16>,
        _ second: UnsafeMutablePointer<UInt16>, _ third: UnsafeMutablePointer<UInt16>
    ) {
        for x in 0..<count {
            let (one, two, three) = (row[3 * x], row[3 * x + 1], row[3 * x + 2])
            first[x] = one
            second[x] = two
            third[x] = three
        }
    }
}
