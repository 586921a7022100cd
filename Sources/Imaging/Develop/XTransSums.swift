/// Weighted means of one colour's differences around the samples of a row: over 7 × 3 samples along it and 3 × 7 across.
///
/// Where a colour has no sample its difference is 0, and the scales make up for the weights that fell there
/// (H. Knutsson, C.-F. Westin, 1993, "Normalized and differential convolution").
struct XTransSums {
    /// Sums of three rows and of seven.
    let few: UnsafePointer<Float>
    let many: UnsafePointer<Float>
    let scaleAlong: UnsafePointer<Float>
    let scaleAcross: UnsafePointer<Float>

    @inline(__always)
    func difference(_ x: Int, _ share: Float) -> Float {
        let (w1, w2, w3, s1) = (
            XTransTables.long.1, XTransTables.long.2, XTransTables.long.3, XTransTables.short.1
        )
        let outer = (few[x - 3] + few[x + 3]) * w3
        let along = ((few[x] + (few[x - 1] + few[x + 1]) * w1) + (few[x - 2] + few[x + 2]) * w2) + outer
        let across = many[x] + (many[x - 1] + many[x + 1]) * s1
        let a = along * scaleAlong[x]
        let b = across * scaleAcross[x]
        return b + (a - b) * share
    }

    /// The sums of a column: rows three before to three after.
    static func add(
        _ rows: (
            UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>,
            UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>
        ), few: UnsafeMutablePointer<Float>, many: UnsafeMutablePointer<Float>, _ range: Range<Int>
    ) {
        let (a, b, c, d, e, f, g) = rows
        let (w1, w2, w3, s1) = (
            XTransTables.long.1, XTransTables.long.2, XTransTables.long.3, XTransTables.short.1
        )
        for x in range {
            let near = c[x] + e[x]
            few[x] = d[x] + near * s1
            many[x] = ((d[x] + near * w1) + (b[x] + f[x]) * w2) + (a[x] + g[x]) * w3
        }
    }
}
