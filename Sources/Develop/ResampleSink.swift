import Pixels

/// Brings tiles of light to another size and hands them on; negative lobes of the filter end at zero.
///
/// First squares are averaged, then rows are filtered, then columns: each step has less to do than the one before.
final class ResampleSink: TileSink {
    private let horizontal: ResampleAxis
    private let vertical: ResampleAxis
    private let target: PictureSink
    private let targetSize: PixelSize
    private let targetPhase: (x: Int, y: Int)
    private let outputs: Range<Int>
    private let reduction: BoxReduction
    /// Rows after averaging, as a ring.
    private let ring: UnsafeMutablePointer<SIMD4<Float>>
    /// One row of the output's height, and one of its size.
    private let column: UnsafeMutablePointer<SIMD4<Float>>
    private let row: UnsafeMutablePointer<SIMD4<Float>>
    /// The two rows of a row of tiles.
    private let results: RowStore
    private let scratch = RowStore(rows: 6, count: Tile.width)
    private var nextOutput: Int

    /// - Parameter outputs: the rows to make, in the sensor's order, in whole pairs.
    init(_ plan: PicturePlan, outputs: Range<Int>, target: PictureSink) {
        horizontal = plan.horizontal
        vertical = plan.vertical
        self.target = target
        targetSize = plan.turn.sensorSize
        targetPhase = (plan.turn.pairPhaseX, plan.turn.pairPhaseY)
        self.outputs = outputs
        reduction = BoxReduction(horizontal: horizontal, vertical: vertical)
        ring = .allocate(capacity: (vertical.taps + 1) * horizontal.boxed)
        column = .allocate(capacity: horizontal.boxed)
        row = .allocate(capacity: horizontal.output)
        results = RowStore(rows: 6, count: horizontal.output)
        nextOutput = outputs.lowerBound
    }

    deinit {
        ring.deallocate()
        column.deallocate()
        row.deallocate()
    }

    func take(_ tile: Tile) {
        let completed = reduction.rows(endingAt: tile)
        if horizontal.boxShift == 0 {
            for y in completed { reduction.copy(y == tile.y ? tile.upper : tile.lower, tile.columns, into: ringRow(y)) }
        } else {
            reduction.add(tile)
        }
        guard tile.columns.upperBound == horizontal.input else { return }
        if horizontal.boxShift > 0, let row = completed.first { reduction.finish(into: ringRow(row)) }
        for row in completed { emit(through: row) }
    }

    func finish() { target.finish() }

    /// One row more than the filter reads, because a pair of rows arrives at once.
    private func ringRow(_ boxedRow: Int) -> UnsafeMutablePointer<SIMD4<Float>> {
        ring + boxedRow % (vertical.taps + 1) * horizontal.boxed
    }

    /// Makes the output rows that need no averaged row after this one.
    private func emit(through boxedRow: Int) {
        while nextOutput < outputs.upperBound, Int(vertical.starts[nextOutput]) + vertical.taps - 1 <= boxedRow {
            filterRows(nextOutput)
            filterColumns()
            let slot = 3 * ((nextOutput + targetPhase.y) & 1)
            InterleavedRow.split(
                row, into: results.row(slot), results.row(slot + 1), results.row(slot + 2), count: horizontal.output)
            if slot == 3 || nextOutput == targetSize.height - 1 {
                handOn(nextOutput - slot / 3)
            }
            nextOutput += 1
        }
    }

    /// Cuts a pair of output rows into tiles.
    private func handOn(_ y: Int) {
        for x in stride(from: -targetPhase.x, to: targetSize.width, by: Tile.width) {
            var tile = Tile(in: scratch, x: x, y: y, size: targetSize)
            for slot in 0..<3 {
                copy(slot, tile.columns, to: tile.x)
                copy(slot + 3, tile.columns, to: tile.x)
            }
            tile.repeatEdges()
            target.take(tile)
        }
    }

    private func copy(_ slot: Int, _ columns: Range<Int>, to x: Int) {
        (scratch.row(slot) + (columns.lowerBound - x)).update(
            from: results.row(slot) + columns.lowerBound, count: columns.count)
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
