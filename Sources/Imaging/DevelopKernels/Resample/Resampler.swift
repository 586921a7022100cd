import PictureFormat
import Pixels

/// Resamples tiles of light. Light that the filter's negative lobes undershoot becomes zero. Averages squares, then
/// filters vertically, then horizontally: each step leaves less for the next.
final class Resampler: TileSink {
    private let horizontalAxis: ResampleAxis
    private let target: any TileSink
    private let targetSize: PixelSize
    private let targetLead: TileLead
    private let outputs: Range<Int>
    private let reduction: BoxReduction
    private let verticalFilter: VerticalFilter
    private let horizontalFilter: HorizontalFilter
    private var nextOutput: Int

    /// The outputs are rows to make, in the sensor's order, in whole pairs.
    init(_ geometry: PictureGeometry, outputs: Range<Int>, target: any TileSink) {
        horizontalAxis = geometry.horizontal
        self.target = target
        targetSize = geometry.transform.sensorSize
        targetLead = geometry.transform.tileLead
        self.outputs = outputs
        reduction = BoxReduction(horizontal: horizontalAxis, vertical: geometry.vertical)
        verticalFilter = VerticalFilter(geometry.vertical, width: horizontalAxis.boxed, scale: reduction.scale)
        horizontalFilter = HorizontalFilter(horizontalAxis)
        nextOutput = outputs.lowerBound
    }

    func take(_ tile: Tile) {
        let completed = reduction.rows(endingAt: tile)
        if horizontalAxis.boxShift == 0 {
            for y in completed { tile.join(y, into: verticalFilter.row(y)) }
        } else {
            reduction.add(tile, into: verticalFilter.row(reduction.row(of: tile)))
        }
        guard tile.columns.upperBound == horizontalAxis.input else { return }
        if horizontalAxis.boxShift > 0, let row = completed.first { reduction.finish(into: verticalFilter.row(row)) }
        for row in completed { emit(through: row) }
    }

    func finish() { target.finish() }

    /// Makes the pairs of output rows that need no later averaged row.
    private func emit(through boxedRow: Int) {
        while nextOutput < outputs.upperBound {
            // If the first pair lacks its upper row, or the last its lower one, the other row is used for both.
            let start = nextOutput - ((nextOutput + targetLead.y) & 1)
            let upper = max(start, 0)
            let lower = min(start + 1, targetSize.height - 1)
            guard verticalFilter.lastRow(lower) <= boxedRow else { return }
            for x in stride(from: -targetLead.x, to: targetSize.width, by: Tile.width) {
                filter(rows: (upper, lower), into: Tile(in: horizontalFilter.outputs, x: x, y: start, size: targetSize))
            }
            nextOutput = lower + 1
        }
    }

    /// Filters one tile, which stays in the cache until it is passed on.
    private func filter(rows pair: (upper: Int, lower: Int), into tile: Tile) {
        let inputs = horizontalFilter.inputs(of: tile.columns)
        verticalFilter.filter(pair.upper, inputs, into: horizontalFilter.input(0))
        verticalFilter.filter(pair.lower, inputs, into: horizontalFilter.input(1))
        horizontalFilter.filter(tile.columns, lead: tile.columns.lowerBound - tile.x)
        tile.repeatEdges()
        target.take(tile)
    }
}
