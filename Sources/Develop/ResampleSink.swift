import Pixels

/// Brings rows of light to another size and hands them on; negative lobes of the filter end at zero.
///
/// First squares are averaged, then rows are filtered, then columns: each step has less to do than the one before.
final class ResampleSink: RowSink {
    private let horizontal: ResampleAxis
    private let vertical: ResampleAxis
    private let target: PictureSink
    private let outputs: Range<Int>
    private let reduction: BoxReduction
    private let result: SceneRows
    /// Rows after averaging, as a ring.
    private let ring: UnsafeMutablePointer<SIMD4<Float>>
    /// One row of the output's height, and one of its size.
    private let column: UnsafeMutablePointer<SIMD4<Float>>
    private let row: UnsafeMutablePointer<SIMD4<Float>>
    private var nextOutput: Int

    /// - Parameter outputs: the rows to make, in the sensor's order.
    init(horizontal: ResampleAxis, vertical: ResampleAxis, outputs: Range<Int>, target: PictureSink) {
        self.horizontal = horizontal
        self.vertical = vertical
        self.target = target
        self.outputs = outputs
        reduction = BoxReduction(
            shift: horizontal.boxShift, width: horizontal.input, height: vertical.input,
            outputWidth: horizontal.boxed)
        result = SceneRows(width: horizontal.output)
        ring = .allocate(capacity: vertical.taps * horizontal.boxed)
        column = .allocate(capacity: horizontal.boxed)
        row = .allocate(capacity: horizontal.output)
        nextOutput = outputs.lowerBound
    }

    deinit {
        ring.deallocate()
        column.deallocate()
        row.deallocate()
    }

    func take(_ y: Int, from rows: SceneRows) {
        let boxedRow = y >> vertical.boxShift
        guard reduction.take(y, rows, into: ringRow(boxedRow)) else { return }
        while nextOutput < outputs.upperBound, Int(vertical.starts[nextOutput]) + vertical.taps - 1 <= boxedRow {
            filterRows(nextOutput)
            filterColumns()
            let to = result.row(nextOutput)
            InterleavedRow.split(row, into: to.red, to.green, to.blue, count: horizontal.output)
            target.take(nextOutput, from: result)
            nextOutput += 1
        }
    }

    func finish() { target.finish() }

    private func ringRow(_ boxedRow: Int) -> UnsafeMutablePointer<SIMD4<Float>> {
        ring + boxedRow % vertical.taps * horizontal.boxed
    }

    private func filterRows(_ output: Int) {
        let count = 4 * horizontal.boxed
        let start = Int(vertical.starts[output])
        column.withMemoryRebound(to: Float.self, capacity: count) { sum in
            for tap in 0..<vertical.taps {
                let weight = vertical.weights[output * vertical.taps + tap]
                ringRow(start + tap).withMemoryRebound(to: Float.self, capacity: count) { from in
                    if tap == 0 {
                        for x in 0..<count { sum[x] = from[x] * weight }
                    } else {
                        for x in 0..<count { sum[x] += from[x] * weight }
                    }
                }
            }
        }
    }

    private func filterColumns() {
        let taps = horizontal.taps
        horizontal.starts.withUnsafeBufferPointer { starts in
            horizontal.weights.withUnsafeBufferPointer { weights in
                guard var weight = weights.baseAddress else { return }
                for x in 0..<starts.count {
                    let from = column + Int(starts[x])
                    var sum = from[0] * weight[0]
                    for tap in 1..<taps { sum += from[tap] * weight[tap] }
                    row[x] = sum.replacing(with: 0, where: sum .< 0)
                    weight += taps
                }
            }
        }
    }
}
