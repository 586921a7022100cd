/// The weighted mean of one colour's differences around each sample of a row: over 7 × 3 samples along the row, and
/// over 3 × 7 across it.
///
/// Where the colour has no sample its difference is 0, and a scale by the position in the pattern makes up for the
/// weights that fell there (H. Knutsson, C.-F. Westin, 1993, "Normalized and differential convolution").
struct XTransDifferenceMean {
    /// By column, weighted sums over three rows.
    let threeRows: UnsafePointer<Float>
    /// By column, weighted sums over seven rows.
    let sevenRows: UnsafePointer<Float>
    let scaleAlong: UnsafePointer<Float>
    let scaleAcross: UnsafePointer<Float>

    /// - Parameter share: of the mean along the row; the rest is the mean across it.
    @inline(__always)
    func value(_ x: Int, _ share: Float) -> Float {
        let (w1, w2, w3, s1) = (
            XTransTables.long.1, XTransTables.long.2, XTransTables.long.3, XTransTables.short.1
        )
        let outer = (threeRows[x - 3] + threeRows[x + 3]) * w3
        let along =
            ((threeRows[x] + (threeRows[x - 1] + threeRows[x + 1]) * w1) + (threeRows[x - 2] + threeRows[x + 2]) * w2)
            + outer
        let across = sevenRows[x] + (sevenRows[x - 1] + sevenRows[x + 1]) * s1
        let a = along * scaleAlong[x]
        let b = across * scaleAcross[x]
        return b + (a - b) * share
    }

    /// The weighted sums of each column.
    ///
    /// - Parameter rows: from three rows before to three rows after.
    static func add(
        _ rows: (
            UnsafePointer<Int16>, UnsafePointer<Int16>, UnsafePointer<Int16>, UnsafePointer<Int16>,
            UnsafePointer<Int16>, UnsafePointer<Int16>, UnsafePointer<Int16>
        ), threeRows: UnsafeMutablePointer<Float>, sevenRows: UnsafeMutablePointer<Float>, _ range: Range<Int>
    ) {
        let (a, b, c, d, e, f, g) = rows
        let (w1, w2, w3, s1) = (
            XTransTables.long.1, XTransTables.long.2, XTransTables.long.3, XTransTables.short.1
        )
        for x in range {
            let (own, near) = (Float(d[x]), Float(c[x] &+ e[x]))
            threeRows[x] = own + near * s1
            sevenRows[x] = ((own + near * w1) + Float(b[x] &+ f[x]) * w2) + Float(a[x] &+ g[x]) * w3
        }
    }
}
