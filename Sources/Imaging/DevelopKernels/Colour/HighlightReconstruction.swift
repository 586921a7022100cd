import Pixels

/// Estimates saturated channels from unsaturated ones and the hue around them. The method is our own.
///
/// A burning-out lamp keeps its hue. From the saturation of its first channel it fades towards white as the unsaturated
/// channels become brighter; where the last channel saturates, it is white. On the way it never becomes darker or more
/// saturated. If the unsaturated channels have another hue than the surroundings, a saturated channel is raised to
/// their value for neutral light. Both corrections fade in over the last tenth below saturation.
package struct HighlightReconstruction: Sendable {
    typealias Row = UnsafeMutablePointer<Float>

    /// Share of saturation from which samples are corrected.
    static let onset: Float = 0.9
    /// Maximum brightness of a colourless lamp, relative to white.
    private static let whiteFrom: Float = 8
    /// Maximum distance from the surrounding hue, relative to a pixel's light. From `strange` on, the hues are
    /// unrelated.
    private static let alike: Float = 0.06
    private static let strange: Float = 0.18

    private let clip: (Float, Float, Float)
    private let threshold: (Float, Float, Float)
    private let slope: (Float, Float, Float)
    /// Light of white.
    private let top: Float
    private let hues: HighlightHues?

    /// `clip` is the balanced light of a saturated sample: red, green, blue. Hues are nil if nothing is burnt.
    package init(clip: [Float], hues: HighlightHues? = nil) {
        self.clip = (clip[0], clip[1], clip[2])
        threshold = (clip[0] * Self.onset, clip[1] * Self.onset, clip[2] * Self.onset)
        slope = (1 / (clip[0] * (1 - Self.onset)), 1 / (clip[1] * (1 - Self.onset)), 1 / (clip[2] * (1 - Self.onset)))
        top = max(clip[0], clip[1], clip[2])
        self.hues = hues
    }

    /// Corrects one pixel. The surrounding hue is in shares of its largest channel, each at least
    /// `HighlightHues.least`.
    package func restore(
        _ r: Float, _ g: Float, _ b: Float, hue: (red: Float, green: Float, blue: Float) = (1, 1, 1)
    ) -> (Float, Float, Float) {
        let (red, green, blue) = restore(
            Eight(repeating: r), Eight(repeating: g), Eight(repeating: b),
            hue: (Eight(repeating: hue.red), Eight(repeating: hue.green), Eight(repeating: hue.blue)))
        return (red[0], green[0], blue[0])
    }

    /// Corrects eight pixels: compilers do not vectorise such a long loop over so many rows.
    @inline(__always)
    private func restore(_ r: Eight, _ g: Eight, _ b: Eight, hue: Hues) -> (Eight, Eight, Eight) {
        let one = Eight(repeating: 1)
        let tr = saturation(r, threshold.0, slope.0)
        let tg = saturation(g, threshold.1, slope.1)
        let tb = saturation(b, threshold.2, slope.2)
        let (ur, ug, ub) = asNeutral(r, g, b, tr, tg, tb)
        // Brightness of light of that hue according to each channel alone.
        let (lr, lg, lb) = (r / hue.red, g / hue.green, b / hue.blue)
        // Brightness according to all channels: at least that of a saturated one.
        let (wr, wg, wb) = (one - tr, one - tg, one - tb)
        let weights = wr * hue.red + wg * hue.green + wb * hue.blue + Float(1e-6)
        let sum = wr * r + wg * g + wb * b
        let light = larger(sum / weights, max3(tr * lr, tg * lg, tb * lb))
        // The pixel's distance from that light, relative to it. A saturated channel may have been brighter than
        // recorded.
        let (er, eg, eb) = (r - light * hue.red, g - light * hue.green, b - light * hue.blue)
        let error = max3(unsaid(er, wr), unsaid(eg, wg), unsaid(eb, wb))
        let belongs = share(
            (Self.strange * light - error) / ((Self.strange - Self.alike) * light + Float(1e-6)))
        // Colour fades between the saturation of the first channel and the last.
        let (cr, cg, cb) = (clip.0 / hue.red, clip.1 / hue.green, clip.2 / hue.blue)
        let (first, last) = (min3(cr, cg, cb), max3(cr, cg, cb))
        let white = smaller(last, Eight(repeating: top * Self.whiteFrom))
        let colour = share((white - light) / (white - first + top * 1e-4))
        let shown = smaller(light, Eight(repeating: top))
        let part = belongs * max3(tr, tg, tb)
        return (
            ur + part * (shown * (one - colour * (one - hue.red)) - ur),
            ug + part * (shown * (one - colour * (one - hue.green)) - ug),
            ub + part * (shown * (one - colour * (one - hue.blue)) - ub)
        )
    }

    /// Raises saturated channels to the other channels' values for neutral light. Green becomes at least the mean of
    /// red and blue, to avoid magenta. If all are saturated, all become the brightest.
    @inline(__always)
    private func asNeutral(
        _ r: Eight, _ g: Eight, _ b: Eight, _ tr: Eight, _ tg: Eight, _ tb: Eight
    ) -> (Eight, Eight, Eight) {
        let all = Float(1.001)
        let (wr, wg, wb) = (all - tr, all - tg, all - tb)
        let fromGB = (g * wg + b * wb) / (wg + wb) - r
        let fromRG = (r * wr + g * wg) / (wr + wg) - b
        let u = r + tr * positive(fromGB)
        let w = b + tb * positive(fromRG)
        let fromRB = (u + w) * Float(0.5) - g
        let v = g + tg * positive(fromRB)
        let burnt = tr * tg * tb
        let brightest = max3(u, v, w)
        return (u + burnt * (brightest - u), v + burnt * (brightest - v), w + burnt * (brightest - w))
    }
}

// MARK: - Eight pixels

extension HighlightReconstruction {
    fileprivate typealias Eight = SIMD8<Float>
    fileprivate typealias Hues = (red: Eight, green: Eight, blue: Eight)

    /// 0 below the last tenth, 1 at saturation.
    @inline(__always)
    private func saturation(_ value: Eight, _ threshold: Float, _ slope: Float) -> Eight {
        let t = (value - threshold) * slope
        return t.replacing(with: 0, where: t .< 0).replacing(with: 1, where: t .> 1)
    }

    /// Clamps to 0…1; NaN becomes 0.
    @inline(__always)
    private func share(_ value: Eight) -> Eight {
        let bounded = Eight(repeating: 1).replacing(with: value, where: value .< 1)
        return Eight.zero.replacing(with: bounded, where: value .> 0)
    }

    @inline(__always)
    private func positive(_ value: Eight) -> Eight { Eight.zero.replacing(with: value, where: value .> 0) }

    /// Error of a channel, with less weight where it may have clipped.
    @inline(__always)
    private func unsaid(_ error: Eight, _ weight: Eight) -> Eight {
        (-error * weight).replacing(with: error, where: error .> 0)
    }

    @inline(__always)
    private func larger(_ a: Eight, _ b: Eight) -> Eight { b.replacing(with: a, where: a .> b) }

    @inline(__always)
    private func smaller(_ a: Eight, _ b: Eight) -> Eight { b.replacing(with: a, where: a .< b) }

    @inline(__always)
    private func max3(_ a: Eight, _ b: Eight, _ c: Eight) -> Eight { larger(larger(a, b), c) }

    @inline(__always)
    private func min3(_ a: Eight, _ b: Eight, _ c: Eight) -> Eight { smaller(smaller(a, b), c) }

    /// Loads `count` values, at most eight, and repeats the last.
    @inline(__always)
    private func load(_ row: UnsafePointer<Float>, _ count: Int) -> Eight {
        if count >= 8 { return UnsafeRawPointer(row).loadUnaligned(as: Eight.self) }
        var values = Eight(repeating: row[count - 1])
        for i in 0..<count { values[i] = row[i] }
        return values
    }

    @inline(__always)
    private func store(_ values: Eight, _ row: Row, _ count: Int) {
        if count >= 8 { return UnsafeMutableRawPointer(row).storeBytes(of: values, as: Eight.self) }
        for i in 0..<count { row[i] = values[i] }
    }
}

// MARK: - Rows

extension HighlightReconstruction {
    /// Corrects a row of pixels that starts at column `x` and row `y` of the sensor.
    func restore(_ row: PixelRow, x: Int, y: Int) {
        withHues(x: x, step: row.step, y: y, count: row.count) { red, green, blue in
            for i in stride(from: 0, to: row.count, by: 8) {
                let left = row.count - i
                let hue = (red: load(red + i, left), green: load(green + i, left), blue: load(blue + i, left))
                let (r, g, b) = restore(
                    load(row.red + i, left), load(row.green + i, left), load(row.blue + i, left), hue: hue)
                store(r, row.red + i, left)
                store(g, row.green + i, left)
                store(b, row.blue + i, left)
            }
        }
    }

    /// Whether a channel is in the last tenth, so that reconstruction changes something.
    func areNear(_ row: PixelRow) -> Bool {
        areNear(row.red, row.green, row.green, row.blue, count: row.count)
    }

    /// Whether a sample of four half rows (as in `restoreSquares`) is in the last tenth.
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

    /// Corrects the 2 × 2 squares of a Bayer mosaic in its four half rows: `r` and `g1` are the upper row, `g2` and `b`
    /// the lower. The first red sample is at `x`, `y` on the sensor.
    func restoreSquares(_ r: Row, _ g1: Row, _ g2: Row, _ b: Row, x: Int, y: Int, count: Int) {
        withHues(x: x, step: 2, y: y, count: count) { red, green, blue in
            for i in stride(from: 0, to: count, by: 8) {
                let left = count - i
                let hue = (red: load(red + i, left), green: load(green + i, left), blue: load(blue + i, left))
                let (own, other) = (load(r + i, left), load(b + i, left))
                let upper = restore(own, load(g1 + i, left), other, hue: hue)
                let lower = restore(own, load(g2 + i, left), other, hue: hue)
                store((upper.0 + lower.0) * Float(0.5), r + i, left)
                store(upper.1, g1 + i, left)
                store(lower.1, g2 + i, left)
                store((upper.2 + lower.2) * Float(0.5), b + i, left)
            }
        }
    }

    /// Passes the hues of a row of places, by channel.
    @inline(__always)
    private func withHues(x: Int, step: Int, y: Int, count: Int, _ body: (Row, Row, Row) -> Void) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * count + 1) { memory in
            // The allocation is not empty.
            let red = memory.baseAddress.unsafelyUnwrapped
            let (green, blue) = (red + count, red + 2 * count)
            if let hues {
                hues.fill(x: x, step: step, y: y, count: count, red, green, blue)
            } else {
                memory.initialize(repeating: 1)
            }
            body(red, green, blue)
        }
    }
}
