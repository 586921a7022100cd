/// The arithmetic of chroma noise reduction on rows of square roots of light: averages green minus red and green minus
/// blue with similar neighbours.
///
/// A neighbour's weight falls from 1 to 0 as its distance in both differences nears the limit (a sigma filter with a
/// soft edge: J.-S. Lee, 1983, "Digital image smoothing and the sigma filter"). Rows are filtered first, then columns
/// (T. Q. Pham, L. J. van Vliet, 2005, "Separable bilateral filtering for fast video preprocessing").
enum ChromaNoiseKernel {
    typealias Row = UnsafePointer<Float>
    typealias Target = UnsafeMutablePointer<Float>

    /// A row of squares of 2 × 2 pixels: green minus red, green minus blue, and green.
    struct Squares {
        let red: Row
        let blue: Row
        let green: Row
    }

    /// A row of one corner of the squares.
    struct Colours {
        let red: Row
        let green: Row
        let blue: Row
    }

    /// Mean differences of squares, their mean green, and the reciprocals of their squared limits. `upper` are the left
    /// and right upper corners, `lower` the lower ones.
    static func squares(
        upper: (Colours, Colours), lower: (Colours, Colours), limits: ChromaNoiseLimits,
        red: Target, blue: Target, green: Target, inverseLimit: Target, count: Int
    ) {
        let (a, b, c, d) = (upper.0, upper.1, lower.0, lower.1)
        for x in 0..<count {
            let mean = ((a.green[x] + b.green[x]) + (c.green[x] + d.green[x])) * 0.25
            red[x] = mean - ((a.red[x] + b.red[x]) + (c.red[x] + d.red[x])) * 0.25
            blue[x] = mean - ((a.blue[x] + b.blue[x]) + (c.blue[x] + d.blue[x])) * 0.25
            green[x] = mean
            inverseLimit[x] = limits.inverseSquared(mean)
        }
    }

    /// Adds one neighbour to a mean. A difference in green has half the weight, which keeps the colours of thin
    /// strokes.
    @inline(__always)
    private static func add(
        _ row: Squares, _ i: Int, _ own: (red: Float, blue: Float, green: Float), _ inverseLimit: Float,
        _ sums: inout (Float, Float, Float)
    ) {
        let r = row.red[i] - own.red
        let b = row.blue[i] - own.blue
        let g = row.green[i] - own.green
        let distance = ((r * r + b * b) + g * g * 0.5) * inverseLimit
        let weight = distance < 1 ? 1 - distance : 0
        sums.0 += r * weight
        sums.1 += b * weight
        sums.2 += weight
    }

    /// Filters along a row: four squares to either side.
    static func smoothRow(_ row: Squares, inverseLimit: Row, red: Target, blue: Target, count: Int) {
        for x in 0..<count {
            let own = (red: row.red[x], blue: row.blue[x], green: row.green[x])
            let inverse = inverseLimit[x]
            var sums: (Float, Float, Float) = (0, 0, 1)
            add(row, x - 4, own, inverse, &sums)
            add(row, x - 3, own, inverse, &sums)
            add(row, x - 2, own, inverse, &sums)
            add(row, x - 1, own, inverse, &sums)
            add(row, x + 1, own, inverse, &sums)
            add(row, x + 2, own, inverse, &sums)
            add(row, x + 3, own, inverse, &sums)
            add(row, x + 4, own, inverse, &sums)
            red[x] = own.red + sums.0 / sums.2
            blue[x] = own.blue + sums.1 / sums.2
        }
    }

    /// Filters along columns: four rows of squares before and four after. At most half of the noise remains after the
    /// rows, so the limit is halved.
    static func smoothColumns(
        _ row: Squares, before: (Squares, Squares, Squares, Squares), after: (Squares, Squares, Squares, Squares),
        inverseLimit: Row, red: Target, blue: Target, count: Int
    ) {
        for x in 0..<count {
            let own = (red: row.red[x], blue: row.blue[x], green: row.green[x])
            let inverse = inverseLimit[x] * 4
            var sums: (Float, Float, Float) = (0, 0, 1)
            add(before.0, x, own, inverse, &sums)
            add(before.1, x, own, inverse, &sums)
            add(before.2, x, own, inverse, &sums)
            add(before.3, x, own, inverse, &sums)
            add(after.0, x, own, inverse, &sums)
            add(after.1, x, own, inverse, &sums)
            add(after.2, x, own, inverse, &sums)
            add(after.3, x, own, inverse, &sums)
            red[x] = own.red + sums.0 / sums.2
            blue[x] = own.blue + sums.1 / sums.2
        }
    }

    /// Sets a corner's pixels to the smoothed differences of their squares, unless their own differ by more than noise.
    /// Keeps green.
    static func restore(
        _ from: (red: Row, green: Row, blue: Row), smooth: (red: Row, blue: Row), inverseLimit: Row,
        into result: (red: Target, green: Target, blue: Target), count: Int
    ) {
        for x in 0..<count {
            let r = (from.green[x] - from.red[x]) - smooth.red[x]
            let b = (from.green[x] - from.blue[x]) - smooth.blue[x]
            let distance = (r * r + b * b) * inverseLimit[x]
            let weight = distance < 1 ? 1 - distance : 0
            result.red[x] = from.red[x] + r * weight
            result.green[x] = from.green[x]
            result.blue[x] = from.blue[x] + b * weight
        }
    }
}

/// Maximum distance between noisy colour differences of one colour.
package struct ChromaNoiseLimits: Sendable {
    /// In standard deviations of the distance between two samples.
    private static let deviations: Float = 2

    private let scale: Float
    private let readNoise: Float

    /// `deviation` is that of the root of light, where light is 1 at saturation. `strength` is the share of the full
    /// limits, 0…1. The white balance's multipliers amplify noise too.
    package init(deviation: Float, strength: Float, multipliers: [Float]) {
        let variance = deviation * deviation
        let amplified = multipliers[1] + (multipliers[0] + multipliers[2]) * 0.5
        let limit = Self.deviations * Self.deviations * strength * strength * variance * amplified
        scale = 1 / limit
        // Three electrons as light: the variance of a root is a quarter of one electron's share of saturation.
        readNoise = 9 * 4 * variance * amplified * 0.5
    }

    /// Reciprocal of the squared limit at a root of light: `scale` for shot noise alone, less with read noise.
    @inline(__always)
    func inverseSquared(_ root: Float) -> Float {
        let square = root * root
        let floored = square > SquareRootEncoding.offset ? square : SquareRootEncoding.offset
        return scale * floored / ((floored - SquareRootEncoding.offset) + readNoise)
    }
}
