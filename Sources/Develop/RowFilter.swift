import Pixels

/// Filters along the columns: each row of the result is a weighted sum of a few rows, which are kept as a ring.
final class RowFilter {
    private let axis: ResampleAxis
    private let width: Int
    /// By output row, in groups of six; those beyond the axis's own are 0.
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
            let first = ResampleAxis.group * group
            // Weights of 0 read a row that is there.
            let rows = (0..<ResampleAxis.group).map { row(Int(axis.starts[output]) + min(first + $0, axis.taps - 1)) }
            let at = output * groups * ResampleAxis.group + first
            let weight = (
                weights[at], weights[at + 1], weights[at + 2], weights[at + 3], weights[at + 4], weights[at + 5]
            )
            add(rows.map(\.red), weight, group == 0, to: result.red)
            add(rows.map(\.green), weight, group == 0, to: result.green)
            add(rows.map(\.blue), weight, group == 0, to: result.blue)
        }
    }

    private func add(
        _ rows: [UnsafeMutablePointer<Float>], _ weight: (Float, Float, Float, Float, Float, Float), _ isFirst: Bool,
        to sum: UnsafeMutablePointer<Float>
    ) {
        let (a, b, c, d, e, f) = (rows[0], rows[1], rows[2], rows[3], rows[4], rows[5])
        let (p, q, r, s, t, u) = weight
        if isFirst {
            for x in 0..<width {
                sum[x] = a[x] * p + b[x] * q + c[x] * r + d[x] * s + e[x] * t + f[x] * u
            }
        } else {
            for x in 0..<width {
                let first = sum[x] + a[x] * p + b[x] * q + c[x] * r
                sum[x] = first + d[x] * s + e[x] * t + f[x] * u
            }
        }
    }
}
