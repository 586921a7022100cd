import Pixels

/// Brings rows of light to another size and hands them on; negative lobes of the filter end at zero.
final class ResampleSink: RowSink {
    private let horizontal: ResampleAxis
    private let vertical: ResampleAxis
    private let target: PictureSink
    private let outputs: Range<Int>
    private let result: SceneRows
    /// Rows after averaging, as a ring of three planes each.
    private let ring: RowStore
    private let ringDepth: Int
    /// Three rows of sums, and three of one output row before its columns are filtered.
    private let sums: RowStore
    private let column: RowStore
    private var nextOutput: Int

    /// - Parameter outputs: the rows to make, in the sensor's order.
    init(horizontal: ResampleAxis, vertical: ResampleAxis, outputs: Range<Int>, target: PictureSink) {
        self.horizontal = horizontal
        self.vertical = vertical
        self.target = target
        self.outputs = outputs
        result = SceneRows(width: horizontal.output)
        ringDepth = vertical.taps
        ring = RowStore(rows: 3 * vertical.taps, count: horizontal.boxed)
        sums = RowStore(rows: 3, count: horizontal.boxed << horizontal.boxShift)
        column = RowStore(rows: 3, count: horizontal.boxed)
        nextOutput = outputs.lowerBound
    }

    func take(_ y: Int, from rows: SceneRows) {
        let row = rows.row(y)
        let mask = (1 << vertical.boxShift) - 1
        add([row.red, row.green, row.blue], first: y & mask == 0)
        if y == vertical.input - 1 {
            // The last box may be short of rows: the last one repeats.
            for _ in (y & mask)..<mask { add([row.red, row.green, row.blue], first: false) }
        } else if y & mask != mask {
            return
        }
        let boxedRow = y >> vertical.boxShift
        reduce(into: boxedRow)
        while nextOutput < outputs.upperBound, Int(vertical.starts[nextOutput]) + vertical.taps - 1 <= boxedRow {
            emit(nextOutput)
            nextOutput += 1
        }
    }

    func finish() { target.finish() }

    private func add(_ planes: [UnsafeMutablePointer<Float>], first: Bool) {
        let count = horizontal.input
        for (channel, plane) in planes.enumerated() {
            let sum = sums.row(channel)
            if first {
                sum.update(from: plane, count: count)
            } else {
                for x in 0..<count { sum[x] += plane[x] }
            }
        }
    }

    /// Averages the sums' columns into the ring.
    private func reduce(into boxedRow: Int) {
        let shift = horizontal.boxShift
        let padded = horizontal.boxed << shift
        let scale = Float(1) / Float(1 << (shift + vertical.boxShift))
        for channel in 0..<3 {
            let sum = sums.row(channel)
            for x in horizontal.input..<padded { sum[x] = sum[horizontal.input - 1] }
            var count = padded
            for _ in 0..<shift {
                count /= 2
                for x in 0..<count { sum[x] = sum[2 * x] + sum[2 * x + 1] }
            }
            let to = ring.row(3 * (boxedRow % ringDepth) + channel)
            for x in 0..<count { to[x] = sum[x] * scale }
        }
    }

    private func emit(_ output: Int) {
        let row = result.row(output)
        filterRows(output)
        filterColumns(0, into: row.red)
        filterColumns(1, into: row.green)
        filterColumns(2, into: row.blue)
        target.take(output, from: result)
    }

    private func filterRows(_ output: Int) {
        let count = horizontal.boxed
        let start = Int(vertical.starts[output])
        for channel in 0..<3 {
            let sum = column.row(channel)
            for tap in 0..<vertical.taps {
                let weight = vertical.weights[output * vertical.taps + tap]
                let from = ring.row(3 * ((start + tap) % ringDepth) + channel)
                if tap == 0 {
                    for x in 0..<count { sum[x] = from[x] * weight }
                } else {
                    for x in 0..<count { sum[x] += from[x] * weight }
                }
            }
        }
    }

    private func filterColumns(_ channel: Int, into result: UnsafeMutablePointer<Float>) {
        let from = column.row(channel)
        let taps = horizontal.taps
        horizontal.starts.withUnsafeBufferPointer { starts in
            horizontal.weights.withUnsafeBufferPointer { weights in
                for x in 0..<starts.count {
                    let source = from + Int(starts[x])
                    let weight = weights.baseAddress.unsafelyUnwrapped + x * taps
                    var sum: Float = 0
                    for tap in 0..<taps { sum += source[tap] * weight[tap] }
                    result[x] = sum > 0 ? sum : 0
                }
            }
        }
    }
}
