/// The arithmetic of chroma noise reduction along rows: green minus red and green minus blue, in square roots of light,
/// averaged with what lies around them as far as it is alike.
///
/// Each neighbour's weight falls from one to nothing as its distance in both differences nears the limit (a sigma
/// filter: J.-S. Lee, 1983, "Digital image smoothing and the sigma filter", with a soft edge). It is done along rows and
/// then along columns (T. Q. Pham, L. J. van Vliet, 2005, "Separable bilateral filtering for fast video preprocessing").
enum ChromaKernel {
    typealias Row = UnsafePointer<Float>
    typealias Target = UnsafeMutablePointer<Float>

    /// A row of squares of 2 × 2 pixels: both differences, and green.
    struct Squares {
        let red: Row
        let blue: Row
        let green: Row
    }

    /// A row of one of the corners of squares.
    struct Colours {
        let red: Row
        let green: Row
        let blue: Row
    }

    /// The mean differences of squares of 2 × 2 pixels, and the reciprocal of their limits' squares.
    /// - Parameters:
    ///   - upper: the left and the right corner.
    ///   - lower: likewise.
    static func squares(
        upper: (Colours, Colours), lower: (Colours, Colours), limits: ChromaLimits,
        red: Target, blue: Target, green: Target, gate: Target, count: Int
    ) {
        let (a, b, c, d) = (upper.0, upper.1, lower.0, lower.1)
        for x in 0..<count {
            let mean = ((a.green[x] + b.green[x]) + (c.green[x] + d.green[x])) * 0.25
            red[x] = mean - ((a.red[x] + b.red[x]) + (c.red[x] + d.red[x])) * 0.25
            blue[x] = mean - ((a.blue[x] + b.blue[x]) + (c.blue[x] + d.blue[x])) * 0.25
            green[x] = mean
            gate[x] = limits.gate(mean)
        }
    }

    /// One neighbour's part in a mean. Green may differ half as far again, which keeps the colours of thin strokes.
    @inline(__always)
    private static func add(
        _ row: Squares, _ i: Int, _ own: (red: Float, blue: Float, green: Float), _ gate: Float,
        _ sums: inout (Float, Float, Float)
    ) {
        let r = row.red[i] - own.red
        let b = row.blue[i] - own.blue
        let g = row.green[i] - own.green
        let far = ((r * r + b * b) + g * g * 0.5) * gate
        let weight = far < 1 ? 1 - far : 0
        sums.0 += r * weight
        sums.1 += b * weight
        sums.2 += weight
    }

    /// Along a row: four squares to either side.
    static func smoothRow(_ row: Squares, gate: Row, red: Target, blue: Target, count: Int) {
        for x in 0..<count {
            let own = (red: row.red[x], blue: row.blue[x], green: row.green[x])
            let gate = gate[x]
            var sums: (Float, Float, Float) = (0, 0, 1)
            add(row, x - 4, own, gate, &sums)
            add(row, x - 3, own, gate, &sums)
            add(row, x - 2, own, gate, &sums)
            add(row, x - 1, own, gate, &sums)
            add(row, x + 1, own, gate, &sums)
            add(row, x + 2, own, gate, &sums)
            add(row, x + 3, own, gate, &sums)
            add(row, x + 4, own, gate, &sums)
            red[x] = own.red + sums.0 / sums.2
            blue[x] = own.blue + sums.1 / sums.2
        }
    }

    /// Along columns: four rows of squares before and four after. Half of the noise is left at most, and half of the limit.
    static func smoothColumns(
        _ row: Squares, before: (Squares, Squares, Squares, Squares), after: (Squares, Squares, Squares, Squares),
        gate: Row, red: Target, blue: Target, count: Int
    ) {
        for x in 0..<count {
            let own = (red: row.red[x], blue: row.blue[x], green: row.green[x])
            let gate = gate[x] * 4
            var sums: (Float, Float, Float) = (0, 0, 1)
            add(before.0, x, own, gate, &sums)
            add(before.1, x, own, gate, &sums)
            add(before.2, x, own, gate, &sums)
            add(before.3, x, own, gate, &sums)
            add(after.0, x, own, gate, &sums)
            add(after.1, x, own, gate, &sums)
            add(after.2, x, own, gate, &sums)
            add(after.3, x, own, gate, &sums)
            red[x] = own.red + sums.0 / sums.2
            blue[x] = own.blue + sums.1 / sums.2
        }
    }

    /// Pixels of a corner get their squares' smoothed differences as far as their own are no further off than noise goes;
    /// green stays as it is.
    static func restore(
        _ from: (red: Row, green: Row, blue: Row), smooth: (red: Row, blue: Row), gate: Row,
        into result: (red: Target, green: Target, blue: Target), count: Int
    ) {
        for x in 0..<count {
            let r = (from.green[x] - from.red[x]) - smooth.red[x]
            let b = (from.green[x] - from.blue[x]) - smooth.blue[x]
            let far = (r * r + b * b) * gate[x]
            let weight = far < 1 ? 1 - far : 0
            result.red[x] = from.red[x] + r * weight
            result.green[x] = from.green[x]
            result.blue[x] = from.blue[x] + b * weight
        }
    }
}

/// How far apart two colour differences may be and still be the same colour with noise.
struct ChromaLimits: Sendable {
    /// Limits in deviations of a sample's difference from its neighbour's.
    private static let deviations: Float = 2

    private let scale: Float
    private let readNoise: Float

    /// - Parameter multipliers: white balance, which amplifies noise too.
    init(_ noise: NoiseLevel, multipliers: [Float]) {
        let variance = noise.deviation * noise.deviation
        let amplified = multipliers[1] + (multipliers[0] + multipliers[2]) * 0.5
        let limit = Self.deviations * Self.deviations * noise.share * noise.share * variance * amplified
        scale = 1 / limit
        // Three electrons, as light: a quarter of the variance is one electron's share of saturation.
        readNoise = 9 * 4 * variance * amplified * 0.5
    }

    /// The reciprocal of the limit's square at a root of light: 1 on shot noise alone, less where read noise adds to it.
    @inline(__always)
    func gate(_ root: Float) -> Float {
        let square = root * root
        let floored = square > RootCoding.offset ? square : RootCoding.offset
        return scale * floored / ((floored - RootCoding.offset) + readNoise)
    }
}
