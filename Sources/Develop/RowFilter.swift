import Pixels

/// Filters along the columns: each row of the result is a weighted sum of a few rows, which are kept as a ring.
final class RowFilter {
    private let axis: ResampleAxis
    private let width: Int
    /// By output row, in groups of four; those beyond the axis's own are 0.
    private let weights: [Float]
    private let groups: Int
    private let depth: Int
    private let ring: RowStore

    /// - Parameter scale: a factor for every weight.
    init(_ axis: ResampleAxis, width: Int, scale: Float) {
        self.axis = axis
        self.width = width
        groups = axis.groupsOfTaps
        weights = axis.groupedWeights(scale: scale)
        // What two output rows read, and one row more, because rows arrive in pairs.
        let step = zip(axis.starts, axis.starts.dropFirst()).map { Int($1 - $0) }.max() ?? 0
        depth = axis.taps + step + 1
        ring = RowStore(rows: 3 * depth, count: width)
    }

    /// Where to put input row `y`.
    func row(_ y: Int) -> PlanarRow {
        let slot = 3 * (y % depth)
        return PlanarRow(red: ring.row(slot), green: ring.row(slot + 1), blue: ring.row(slot + 2))
    }

    /// The last input row that output row `output` reads.
    func lastRow(_ output: Int) -> Int { Int(axis.starts[output]) + axis.taps - 1 }

    func filter(_ output: Int, into result: PlanarRow) {
        for group in 0..<groups {
            // Weights of 0 read a row that is there.
            let taps = (0..<4).map { min(4 * group + $0, axis.taps - 1) }
            let rows = taps.map { row(Int(axis.starts[output]) + $0) }
            let at = 4 * (output * groups + group)
            let weight = (weights[at], weights[at + 1], weights[at + 2], weights[at + 3])
            let isFirst = group == 0
            add((rows[0].red, rows[1].red, rows[2].red, rows[3].red), weight, isFirst, to: result.red)
            add((rows[0].green, rows[1].green, rows[2].green, rows[3].green), weight, isFirst, to: result.green)
            add((rows[0].blue, rows[1].blue, rows[2].blue, rows[3].blue), weight, isFirst, to: result.blue)
        }
    }

    private typealias Rows = (
        UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>,
        UnsafeMutablePointer<Float>
    )

    private func add(
        _ rows: Rows, _ weight: (Float, Float, Float, Float), _ isFirst: Bool, to sum: UnsafeMutablePointer<Float>
    ) {
        let (a, b, c, d) = rows
        let (p, q, r, s) = weight
        if isFirst {
            for x in 0..<width { sum[x] = a[x] * p + b[x] * q + c[x] * r + d[x] * s }
        } else {
            for x in 0..<width { sum[x] = sum[x] + a[x] * p + b[x] * q + c[x] * r + d[x] * s }
        }
    }
}
