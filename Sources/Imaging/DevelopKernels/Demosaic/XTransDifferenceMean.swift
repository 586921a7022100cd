/// The weighted mean of one colour's differences around each sample of a row: over 7 × 3 samples along the row, and
/// over 3 × 7 across it. Only samples of the colour count; a scale by pattern position compensates for the weights of
/// others (H. Knutsson, C.-F. Westin, 1993, "Normalized and differential convolution").
struct XTransDifferenceMean {
    /// By column, weighted sums over three rows; pattern columns are `XTransSums.stride` apart.
    let threeRows: UnsafePointer<Float>
    /// By column, weighted sums over seven rows.
    let sevenRows: UnsafePointer<Float>
    let scaleAlong: Float
    let scaleAcross: Float
    /// Columns that have sums over three rows.
    let taps: XTransTaps

    /// `share` is the weight of the mean along the row; the rest is the mean across it. The taps are this mean's, as
    /// constants.
    @inline(__always)
    func value(_ x: Int, _ share: Float, _ taps: XTransTaps) -> Float {
        let (w1, w2, w3, s1) = (XTransWeights.long.1, XTransWeights.long.2, XTransWeights.long.3, XTransWeights.short.1)
        // Does not add zeros for missing columns: a compiler would have to keep them because of their sign.
        let near = Self.sum(pair(x, 0, taps), pair(x, 1, taps).map { $0 * w1 })
        let far = pair(x, 2, taps).map { $0 * w2 }
        let along = Self.sum(Self.sum(near, far), pair(x, 3, taps).map { $0 * w3 }) ?? 0
        let step = XTransSums.stride
        let across = sevenRows[x] + (sevenRows[x - step] + sevenRows[x + step]) * s1
        let a = along * scaleAlong
        let b = across * scaleAcross
        return b + (a - b) * share
    }

    /// The sum of three rows in the column, or in both columns at a distance.
    @inline(__always)
    private func pair(_ x: Int, _ distance: Int, _ taps: XTransTaps) -> Float? {
        let step = distance * XTransSums.stride
        return Self.sum(
            taps.has(-distance) ? threeRows[x - step] : nil,
            distance > 0 && taps.has(distance) ? threeRows[x + step] : nil)
    }

    @inline(__always)
    private static func sum(_ one: Float?, _ other: Float?) -> Float? {
        guard let one else { return other }
        guard let other else { return one }
        return one + other
    }
}
