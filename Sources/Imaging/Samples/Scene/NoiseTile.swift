/// A square of fractal value noise that repeats without a seam; every value lies in 0…1.
///
/// The sum of octaves of lattice noise, each half as strong and twice as fine (K. Perlin, 1985, "An Image
/// Synthesizer").
struct NoiseTile: Sendable {
    static let edge = 1024
    private static let mask = edge - 1
    private let values: [Float]

    init(seed: UInt64, coarsestCells: Int = 4, octaves: Int = 9) {
        var sum = [Float](repeating: 0, count: Self.edge * Self.edge)
        var weight: Float = 0.5
        var cells = coarsestCells
        for octave in 0..<octaves {
            Self.add(cells: min(cells, Self.edge), weight: weight, seed: seed &+ UInt64(octave), to: &sum)
            weight /= 2
            cells *= 2
        }
        let scale = 1 / (1 - weight * 2)
        values = sum.map { $0 * scale }
    }

    /// The value at whole coordinates; any are valid.
    func at(_ x: Int, _ y: Int) -> Float { values[(y & Self.mask) * Self.edge + (x & Self.mask)] }

    /// Bilinear between whole coordinates, for noise that is stretched.
    func smooth(_ x: Float, _ y: Float) -> Float {
        let left = x.rounded(.down)
        let top = y.rounded(.down)
        let column = Int(left)
        let row = Int(top)
        let across = x - left
        let down = y - top
        let upper = at(column, row) + (at(column + 1, row) - at(column, row)) * across
        let lower = at(column, row + 1) + (at(column + 1, row + 1) - at(column, row + 1)) * across
        return upper + (lower - upper) * down
    }

    private static func add(cells: Int, weight: Float, seed: UInt64, to sum: inout [Float]) {
        let step = edge / cells
        let knots = (0..<cells * cells).map { Float(mixed(seed &* 0x1_0001 &+ UInt64($0)) >> 40) / 16_777_216 }
        let fade = (0..<step).map { index in smoothstep(0, 1, Float(index) / Float(step)) }
        unsafe sum.withUnsafeMutableBufferPointer { sum in
            for y in 0..<edge {
                let upper = y / step * cells
                let lower = (y / step + 1) % cells * cells
                for x in 0..<edge {
                    let left = x / step
                    let right = (left + 1) % cells
                    let across = fade[x % step]
                    let above = knots[upper + left] + (knots[upper + right] - knots[upper + left]) * across
                    let below = knots[lower + left] + (knots[lower + right] - knots[lower + left]) * across
                    unsafe sum[y * edge + x] += (above + (below - above) * fade[y % step]) * weight
                }
            }
        }
    }
}

/// 0 below `low`, 1 above `high`, a cubic between.
func smoothstep(_ low: Float, _ high: Float, _ value: Float) -> Float {
    let t = min(max((value - low) / (high - low), 0), 1)
    return t * t * (3 - 2 * t)
}
