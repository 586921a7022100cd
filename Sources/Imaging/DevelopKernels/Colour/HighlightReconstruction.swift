import Pixels

/// Estimates saturated channels from the unsaturated ones, so that no highlight turns magenta.
///
/// A saturated channel is raised to what the unsaturated ones suggest, assuming a neutral light. Where all are
/// saturated, all become the brightest. Both corrections fade in over the last tenth below saturation.
package struct HighlightReconstruction: Sendable {
    /// The share of saturation from which a sample is corrected.
    static let onset: Float = 0.9

    private let threshold: (Float, Float, Float)
    private let slope: (Float, Float, Float)

    /// - Parameter clip: balanced light of a saturated sample; red, green, blue.
    package init(clip: [Float]) {
        threshold = (clip[0] * Self.onset, clip[1] * Self.onset, clip[2] * Self.onset)
        slope = (1 / (clip[0] * (1 - Self.onset)), 1 / (clip[1] * (1 - Self.onset)), 1 / (clip[2] * (1 - Self.onset)))
    }

    /// 0 below the last tenth, 1 at saturation.
    @inline(__always)
    private func saturation(_ value: Float, _ threshold: Float, _ slope: Float) -> Float {
        let t = (value - threshold) * slope
        return t < 0 ? 0 : (t > 1 ? 1 : t)
    }

    /// The corrected red, green and blue of one pixel.
    @inline(__always)
    package func restore(_ r: Float, _ g: Float, _ b: Float) -> (Float, Float, Float) {
        let tr = saturation(r, threshold.0, slope.0)
        let tg = saturation(g, threshold.1, slope.1)
        let tb = saturation(b, threshold.2, slope.2)
        let wr = 1.001 - tr
        let wg = 1.001 - tg
        let wb = 1.001 - tb
        let fromGB = (g * wg + b * wb) / (wg + wb) - r
        let fromRB = (r * wr + b * wb) / (wr + wb) - g
        let fromRG = (r * wr + g * wg) / (wr + wg) - b
        let u = r + tr * (fromGB > 0 ? fromGB : 0)
        let v = g + tg * (fromRB > 0 ? fromRB : 0)
        let w = b + tb * (fromRG > 0 ? fromRG : 0)
        let all = tr * tg * tb
        let uv = u > v ? u : v
        let top = uv > w ? uv : w
        return (u + all * (top - u), v + all * (top - v), w + all * (top - w))
    }

    /// Corrects a row of pixels.
    func restore(_ row: PixelRow) {
        for x in 0..<row.count {
            let (r, g, b) = restore(row.red[x], row.green[x], row.blue[x])
            row.red[x] = r
            row.green[x] = g
            row.blue[x] = b
        }
    }

    /// True if some sample of four half rows (as in `restoreSquares`) is in the last tenth, so that restoring changes
    /// something.
    func areNear(
        _ r: UnsafePointer<Float>, _ g1: UnsafePointer<Float>, _ g2: UnsafePointer<Float>, _ b: UnsafePointer<Float>,
        count: Int
    ) -> Bool {
        var near: UInt32 = 0
        for x in 0..<count {
            near |=
                (r[x] > threshold.0 ? 1 : 0) | (g1[x] > threshold.1 ? 1 : 0) | (g2[x] > threshold.1 ? 1 : 0)
                | (b[x] > threshold.2 ? 1 : 0)
        }
        return near != 0
    }

    /// Corrects the 2 × 2 squares of a Bayer mosaic, given as its four half rows: `r` and `g1` are the upper row, `g2`
    /// and `b` the lower one.
    func restoreSquares(
        _ r: UnsafeMutablePointer<Float>, _ g1: UnsafeMutablePointer<Float>, _ g2: UnsafeMutablePointer<Float>,
        _ b: UnsafeMutablePointer<Float>, count: Int
    ) {
        for x in 0..<count {
            let upper = restore(r[x], g1[x], b[x])
            let lower = restore(r[x], g2[x], b[x])
            r[x] = (upper.0 + lower.0) * 0.5
            g1[x] = upper.1
            g2[x] = lower.1
            b[x] = (upper.2 + lower.2) * 0.5
        }
    }
}
