import Pixels

/// Filters a picture vertically: each output row is a weighted sum of a few input rows from a ring buffer.
final class VerticalFilter {
    private let axis: ResampleAxis
    /// By output row, in groups of six, padded with 0.
    private let weights: [Float]
    private let groups: Int
    private let depth: Int
    private let ring: ScratchRows

    init(_ axis: ResampleAxis, width: Int, scale: Float) {
        self.axis = axis
        groups = axis.tapGroups
        weights = axis.groupedWeights(scale: scale)
        // The rows that two output rows read, and one more, because rows arrive in pairs.
        let step = zip(axis.starts, axis.starts.dropFirst()).map { Int($1 - $0) }.max() ?? 0
        depth = axis.taps + step + 1
        ring = ScratchRows(rows: 3 * depth, count: width)
    }

    /// Buffer for input row `y`.
    func row(_ y: Int) -> PlanarRow {
        let slot = 3 * (y % depth)
        return PlanarRow(red: ring.row(slot), green: ring.row(slot + 1), blue: ring.row(slot + 2))
    }

    /// Last input row that an output row reads.
    func lastRow(_ output: Int) -> Int { Int(axis.starts[output]) + axis.taps - 1 }

    private typealias Six<Value> = (Value, Value, Value, Value, Value, Value)

    func filter(_ output: Int, _ columns: Range<Int>, into result: PlanarRow) {
        for group in 0..<groups {
            let rows = rows(output, group)
            let weight = weights(output, group)
            for channel in 0..<3 {
                func row(_ row: PlanarRow) -> UnsafePointer<Float> { .init(row[channel] + columns.lowerBound) }
                let six = (row(rows.0), row(rows.1), row(rows.2), row(rows.3), row(rows.4), row(rows.5))
                Self.add(six, weight, group == 0, to: result[channel], columns.count)
            }
        }
    }

    /// Input rows of a group of taps. Padding repeats the last, with weights of 0.
    private func rows(_ output: Int, _ group: Int) -> Six<PlanarRow> {
        func row(_ tap: Int) -> PlanarRow {
            self.row(Int(axis.starts[output]) + min(ResampleAxis.group * group + tap, axis.taps - 1))
        }
        return (row(0), row(1), row(2), row(3), row(4), row(5))
    }

    private func weights(_ output: Int, _ group: Int) -> Six<Float> {
        let at = (output * groups + group) * ResampleAxis.group
        return (weights[at], weights[at + 1], weights[at + 2], weights[at + 3], weights[at + 4], weights[at + 5])
    }

    private static func add(
        _ rows: Six<UnsafePointer<Float>>, _ weights: Six<Float>, _ isFirst: Bool, to sum: UnsafeMutablePointer<Float>,
        _ count: Int
    ) {
        let (a, b, c, d, e, f) = rows
        let (p, q, r, s, t, u) = weights
        if isFirst {
            for x in 0..<count {
                sum[x] = a[x] * p + b[x] * q + c[x] * r + d[x] * s + e[x] * t + f[x] * u
            }
        } else {
            for x in 0..<count {
                let first = sum[x] + a[x] * p + b[x] * q + c[x] * r
                sum[x] = first + d[x] * s + e[x] * t + f[x] * u
            }
        }
    }
}
