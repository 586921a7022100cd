/// Hues of light around burnt areas, on a coarse grid over a sensor. A hue is balanced light relative to its largest
/// channel. Unknown hues are neutral.
package struct HighlightHues: Sendable {
    /// Pixels along both edges of a cell.
    package static let cell = 64
    /// Lower bound of a channel's share, so that noise in a pure colour's dark channel has little weight.
    package static let least: Float = 0.02

    private let across: Int
    private let down: Int
    private let cells: [SIMD4<Float>]

    /// Proves that there is a hue for each cell, with shares from `least` to 1: nil otherwise.
    ///
    /// - Parameter cells: red, green, blue and an unused number, row by row from the sensor's first pixel.
    package init?(across: Int, down: Int, cells: [SIMD4<Float>]) {
        guard across > 0, down > 0, cells.count == across * down,
            cells.allSatisfy({ cell in (0..<3).allSatisfy { cell[$0] >= Self.least && cell[$0] <= 1 } })
        else { return nil }
        self.across = across
        self.down = down
        self.cells = cells
    }

    /// Writes the hues of `count` places in a sensor row, `step` columns apart, interpolated between the middles of the
    /// four surrounding cells. The first column and the row may lie beyond the sensor's edges.
    func fill(
        x: Int, step: Int, y: Int, count: Int, _ red: UnsafeMutablePointer<Float>,
        _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>
    ) {
        let (top, below) = Self.place(y, down)
        let bottom = min(top + 1, down - 1)
        cells.withUnsafeBufferPointer { cells in
            var i = 0
            while i < count {
                let (left, after) = Self.place(x + i * step, across)
                let right = min(left + 1, across - 1)
                let (a, b) = (cells[top * across + left], cells[top * across + right])
                let (c, d) = (cells[bottom * across + left], cells[bottom * across + right])
                if i + 8 <= count, Self.place(x + (i + 7) * step, across).cell == left {
                    // Eight places between the same cells.
                    let shares = Self.shares(x + i * step, step, across, left)
                    for (channel, row) in [red, green, blue].enumerated() {
                        let upper = a[channel] + (b[channel] - a[channel]) * shares
                        let lower = c[channel] + (d[channel] - c[channel]) * shares
                        let hue = upper + (lower - upper) * below
                        UnsafeMutableRawPointer(row + i).storeBytes(of: hue, as: SIMD8<Float>.self)
                    }
                    i += 8
                } else {
                    let hue = Self.mix(Self.mix(a, b, after), Self.mix(c, d, after), below)
                    (red[i], green[i], blue[i]) = (hue.x, hue.y, hue.z)
                    i += 1
                }
            }
        }
    }

    /// Interpolation weights of `place` for eight places from a pixel on, all in one cell.
    @inline(__always)
    private static func shares(_ pixel: Int, _ step: Int, _ count: Int, _ whole: Int) -> SIMD8<Float> {
        let steps = SIMD8<Float>(0, 1, 2, 3, 4, 5, 6, 7) * Float(step)
        let last = SIMD8<Float>(repeating: Float(count - 1))
        let at = (steps + Float(pixel) + Float(0.5)) * (1 / Float(cell)) - Float(0.5)
        let bounded = last.replacing(with: at, where: at .< last)
        return SIMD8<Float>.zero.replacing(with: bounded, where: at .> 0) - Float(whole)
    }

    @inline(__always)
    private static func mix(_ a: SIMD4<Float>, _ b: SIMD4<Float>, _ share: Float) -> SIMD4<Float> {
        a + (b - a) * share
    }

    /// The cell before a pixel, inside the grid, and the fraction of the way to the next cell's middle.
    @inline(__always)
    private static func place(_ pixel: Int, _ count: Int) -> (cell: Int, share: Float) {
        let last = Float(count - 1)
        let at = (Float(pixel) + 0.5) * (1 / Float(cell)) - 0.5
        let inside = at > 0 ? (at < last ? at : last) : 0
        let whole = Int(inside)
        return (whole, inside - Float(whole))
    }
}
