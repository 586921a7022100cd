import PictureFormat
import Pixels

/// Brings tiles of light to another size and hands them on; negative lobes of the filter end at zero.
///
/// First squares are averaged, then rows are filtered, then columns: each step has less to do than the one before.
final class ResampleSink: TileSink {
    private let horizontal: ResampleAxis
    private let target: PictureSink
    private let targetSize: PixelSize
    private let targetPhase: (x: Int, y: Int)
    private let outputs: Range<Int>
    private let reduction: BoxReduction
    private let rows: RowFilter
    private let columns: ColumnFilter
    private var nextOutput: Int

    /// - Parameter outputs: the rows to make, in the sensor's order, in whole pairs.
    init(_ plan: PicturePlan, outputs: Range<Int>, target: PictureSink) {
        horizontal = plan.horizontal
        self.target = target
        targetSize = plan.turn.sensorSize
        targetPhase = (plan.turn.pairPhaseX, plan.turn.pairPhaseY)
        self.outputs = outputs
        reduction = BoxReduction(horizontal: horizontal, vertical: plan.vertical)
        rows = RowFilter(plan.vertical, width: horizontal.boxed, scale: reduction.scale)
        columns = ColumnFilter(horizontal)
        nextOutput = outputs.lowerBound
    }

    func take(_ tile: Tile) {
        let completed = reduction.rows(endingAt: tile)
        if horizontal.boxShift == 0 {
            for y in completed { tile.join(y, into: rows.row(y)) }
        } else {
            reduction.add(tile, into: rows.row(reduction.row(of: tile)))
        }
        guard tile.columns.upperBound == horizontal.input else { return }
        if horizontal.boxShift > 0, let row = completed.first { reduction.finish(into: rows.row(row)) }
        for row in completed { emit(through: row) }
    }

    func finish() { target.finish() }

    /// Makes the pairs of output rows that need no averaged row after this one.
    private func emit(through boxedRow: Int) {
        while nextOutput < outputs.upperBound {
            // The first pair may lack its upper row, the last its lower one: the other stands in.
            let start = nextOutput - ((nextOutput + targetPhase.y) & 1)
            let upper = max(start, 0)
            let lower = min(start + 1, targetSize.height - 1)
            guard rows.lastRow(lower) <= boxedRow else { return }
            for x in stride(from: -targetPhase.x, to: targetSize.width, by: Tile.width) {
                filter(rows: (upper, lower), into: Tile(in: columns.outputs, x: x, y: start, size: targetSize))
            }
            nextOutput = lower + 1
        }
    }

    /// A tile at a time, which stays near the processor until it is handed on.
    private func filter(rows pair: (upper: Int, lower: Int), into tile: Tile) {
        let inputs = columns.inputs(of: tile.columns)
        rows.filter(pair.upper, inputs, into: columns.input(0))
        rows.filter(pair.lower, inputs, into: columns.input(1))
        columns.filter(tile.columns, lead: tile.columns.lowerBound - tile.x)
        tile.repeatEdges()
        target.take(tile)
    }
}
