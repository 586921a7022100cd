/// Rows of pixels of three samples.
public enum PixelRows {
    /// Takes a row apart: its first samples, its second ones, and its third ones, each of them in the order of the pixels.
    ///
    /// One loop over all three becomes vectors that shuffle; one loop for each does not.
    ///
    /// - Parameters:
    ///   - row: three times `count` samples.
    ///   - count: pixels.
    ///   - first: gets `count` samples, as `second` and `third` do. None of them overlaps another, or the row.
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
