/// Which hue the light around burnt places has, as a coarse grid over a sensor.
///
/// A hue is balanced light as shares of its largest channel. Where nothing is known it is neutral.
package struct HighlightHues: Sendable {
    /// Pixels of a cell, along both edges.
    package static let cell = 64
    /// The least share that a channel has, so that noise in the dark one of a pure colour does not count for much.
    package static let least: Float = 0.02

    private let across: Int
    private let down: Int
    private let cells: [SIMD4<Float>]

    /// Proves that there is a hue for each cell, of shares from `least` to 1: nil otherwise.
    ///
    /// - Parameter cells: red, green, blue and a number that is not used, row by row from the sensor's first pixel on.
    package init?(across: Int, down: Int, cells: [SIMD4<Float>]) {
        guard across > 0, down > 0, cells.count == across * down,
            cells.allSatisfy({ cell in (0..<3).allSatisfy { cell[$0] >= Self.least && cell[$0] <= 1 } })
        else { return nil }
        self.across = across
        self.down = down
        self.cells = cells
    }

    /// The hues of `count` places in a row of the sensor, interpolated between the middles of the four cells around each.
    ///
    /// - Parameters:
    ///   - x: the column of the first place, which may lie beyond the sensor's edges, as may `y`.
    ///   - step: columns from one place to the next.
    ///   - body: is given the index of each place, and its red, green and blue.
    @inline(__always)
    func forEach(x: Int, step: Int, y: Int, count: Int, _ body: (Int, SIMD4<Float>) -> Void) {
        let (top, below) = Self.place(y, down)
        let bottom = min(top + 1, down - 1)
        cells.withUnsafeBufferPointer { cells in
            for i in 0..<count {
                let (left, after) = Self.place(x + i * step, across)
                let right = min(left + 1, across - 1)
                let upper = Self.mix(cells[top * across + left], cells[top * across + right], after)
                let lower = Self.mix(cells[bottom * across + left], cells[bottom * across + right], after)
                body(i, Self.mix(upper, lower, below))
            }
        }
    }

    @inline(__always)
    private static func mix(_ a: SIMD4<Float>, _ b: SIMD4<Float>, _ share: Float) -> SIMD4<Float> {
        a + (b - a) * share
    }

    /// The cell before a pixel, inside the grid, and how far the pixel is on the way from its middle to the next one's.
    @inline(__always)
    private static func place(_ pixel: Int, _ count: Int) -> (cell: Int, share: Float) {
        let last = Float(count - 1)
        let at = (Float(pixel) + 0.5) * (1 / Float(cell)) - 0.5
        let inside = at > 0 ? (at < last ? at : last) : 0
        let whole = Int(inside)
        return (whole, inside - Float(whole))
    }
}
