import Pixels

/// Estimates saturated channels from the unsaturated ones and from the hue around them.
///
/// A lamp keeps its hue while it burns out: from where its first channel saturates it fades towards white, as far as the
/// unsaturated channels say that it is brighter still, and where the last one saturates it is white. It never gets darker
/// on the way, nor stronger in colour. Where the unsaturated channels have another hue than what is around, a saturated
/// one is raised to what they imply for neutral light. Both fade in over the last tenth below saturation.
package struct HighlightReconstruction: Sendable {
    typealias Row = UnsafeMutablePointer<Float>

    /// The share of saturation from which a sample is corrected.
    static let onset: Float = 0.9
    /// How many times as bright as white a lamp is, at most, where it has lost its colour.
    private static let whiteFrom: Float = 8
    /// How far from the hue around a pixel may be, as a share of its light: from `strange` on it has nothing to do with it.
    private static let alike: Float = 0.06
    private static let strange: Float = 0.18

    private let clip: (Float, Float, Float)
    private let threshold: (Float, Float, Float)
    private let slope: (Float, Float, Float)
    /// The light of white.
    private let top: Float
    private let hues: HighlightHues?

    /// - Parameters:
    ///   - clip: balanced light of a saturated sample; red, green, blue.
    ///   - hues: around what is burnt; nil where there is none.
    package init(clip: [Float], hues: HighlightHues? = nil) {
        self.clip = (clip[0], clip[1], clip[2])
        threshold = (clip[0] * Self.onset, clip[1] * Self.onset, clip[2] * Self.onset)
        slope = (1 / (clip[0] * (1 - Self.onset)), 1 / (clip[1] * (1 - Self.onset)), 1 / (clip[2] * (1 - Self.onset)))
        top = max(clip[0], clip[1], clip[2])
        self.hues = hues
    }

    /// 0 below the last tenth, 1 at saturation.
    @inline(__always)
    private func saturation(_ value: Float, _ threshold: Float, _ slope: Float) -> Float {
        let t = (value - threshold) * slope
        return t < 0 ? 0 : (t > 1 ? 1 : t)
    }

    @inline(__always)
    private func max3(_ a: Float, _ b: Float, _ c: Float) -> Float {
        let ab = a > b ? a : b
        return ab > c ? ab : c
    }

    @inline(__always)
    private func min3(_ a: Float, _ b: Float, _ c: Float) -> Float {
        let ab = a < b ? a : b
        return ab < c ? ab : c
    }

    /// The corrected red, green and blue of one pixel.
    ///
    /// - Parameter hue: of the light around, as shares of its largest channel, each at least `HighlightHues.least`.
    @inline(__always)
    package func restore(
        _ r: Float, _ g: Float, _ b: Float, hue: (red: Float, green: Float, blue: Float) = (1, 1, 1)
    ) -> (Float, Float, Float) {
        let tr = saturation(r, threshold.0, slope.0)
        let tg = saturation(g, threshold.1, slope.1)
        let tb = saturation(b, threshold.2, slope.2)
        let (ur, ug, ub) = asNeutral(r, g, b, tr, tg, tb)
        // How bright a light of that hue would be by each channel alone.
        let (lr, lg, lb) = (r / hue.red, g / hue.green, b / hue.blue)
        // Its brightness by all of them together: at least what a saturated one says.
        let (wr, wg, wb) = (1 - tr, 1 - tg, 1 - tb)
        let weights = wr * hue.red + wg * hue.green + wb * hue.blue + 1e-6
        let fitted = (wr * r + wg * g + wb * b) / weights
        let bound = max3(tr * lr, tg * lg, tb * lb)
        let light = fitted > bound ? fitted : bound
        // How far the pixel is from that, as a share of the light. Of a saturated channel there may be more than it says.
        let (er, eg, eb) = (r - light * hue.red, g - light * hue.green, b - light * hue.blue)
        let error = max3(er > 0 ? er : -er * wr, eg > 0 ? eg : -eg * wg, eb > 0 ? eb : -eb * wb)
        let likeness = (Self.strange * light - error) / ((Self.strange - Self.alike) * light + 1e-6)
        let belongs = likeness > 0 ? (likeness < 1 ? likeness : 1) : 0
        // It loses its colour between where the first channel saturates and where the last one does.
        let (cr, cg, cb) = (clip.0 / hue.red, clip.1 / hue.green, clip.2 / hue.blue)
        let (first, last) = (min3(cr, cg, cb), max3(cr, cg, cb))
        let white = last < top * Self.whiteFrom ? last : top * Self.whiteFrom
        let remaining = (white - light) / (white - first + top * 1e-4)
        let colour = remaining > 0 ? (remaining < 1 ? remaining : 1) : 0
        let shown = light < top ? light : top
        let share = belongs * max3(tr, tg, tb)
        return (
            ur + share * (shown * (1 - colour * (1 - hue.red)) - ur),
            ug + share * (shown * (1 - colour * (1 - hue.green)) - ug),
            ub + share * (shown * (1 - colour * (1 - hue.blue)) - ub)
        )
    }

    /// Raises saturated channels to what the others imply for neutral light. Green becomes the mean of red and blue at
    /// least, so that no result is magenta. Where all are saturated, all become the brightest.
    @inline(__always)
    private func asNeutral(
        _ r: Float, _ g: Float, _ b: Float, _ tr: Float, _ tg: Float, _ tb: Float
    ) -> (Float, Float, Float) {
        let (wr, wg, wb) = (1.001 - tr, 1.001 - tg, 1.001 - tb)
        let fromGB = (g * wg + b * wb) / (wg + wb) - r
        let fromRG = (r * wr + g * wg) / (wr + wg) - b
        let u = r + tr * (fromGB > 0 ? fromGB : 0)
        let w = b + tb * (fromRG > 0 ? fromRG : 0)
        let fromRB = (u + w) * 0.5 - g
        let v = g + tg * (fromRB > 0 ? fromRB : 0)
        let all = tr * tg * tb
        let brightest = max3(u, v, w)
        return (u + all * (brightest - u), v + all * (brightest - v), w + all * (brightest - w))
    }
}

// MARK: - Rows

extension HighlightReconstruction {
    /// Corrects a row of pixels.
    ///
    /// - Parameters:
    ///   - x: the column on the sensor of the row's first pixel.
    ///   - y: the row on the sensor.
    func restore(_ row: PixelRow, x: Int, y: Int) {
        withHues(x: x, step: row.step, y: y, count: row.count) { red, green, blue in
            for i in 0..<row.count {
                let (r, g, b) = restore(row.red[i], row.green[i], row.blue[i], hue: (red[i], green[i], blue[i]))
                row.red[i] = r
                row.green[i] = g
                row.blue[i] = b
            }
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
    ///
    /// - Parameters:
    ///   - x: the column on the sensor of the first square's red sample.
    ///   - y: its row on the sensor.
    func restoreSquares(_ r: Row, _ g1: Row, _ g2: Row, _ b: Row, x: Int, y: Int, count: Int) {
        withHues(x: x, step: 2, y: y, count: count) { red, green, blue in
            for i in 0..<count {
                let hue = (red: red[i], green: green[i], blue: blue[i])
                let upper = restore(r[i], g1[i], b[i], hue: hue)
                let lower = restore(r[i], g2[i], b[i], hue: hue)
                r[i] = (upper.0 + lower.0) * 0.5
                g1[i] = upper.1
                g2[i] = lower.1
                b[i] = (upper.2 + lower.2) * 0.5
            }
        }
    }

    /// Hands on the hues of a row of places, by channel.
    @inline(__always)
    private func withHues(x: Int, step: Int, y: Int, count: Int, _ body: (Row, Row, Row) -> Void) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * count + 1) { memory in
            // There is room for one number at least.
            let red = memory.baseAddress.unsafelyUnwrapped
            let (green, blue) = (red + count, red + 2 * count)
            if let hues {
                hues.forEach(x: x, step: step, y: y, count: count) { i, hue in
                    red[i] = hue.x
                    green[i] = hue.y
                    blue[i] = hue.z
                }
            } else {
                memory.initialize(repeating: 1)
            }
            body(red, green, blue)
        }
    }
}
