internal import Concurrency
import ColourScience
import DevelopKernels
import PictureFormat
import Pixels

/// A picture's light in coarse cells, from which halation is made before the first row is developed.
struct HalationSource {
    /// In the sensor's order.
    let size: PixelSize
    let levels: SampleLevels
    /// From balanced camera colour to scene light.
    let matrix: Matrix3x3
    /// Light of a sample that is saturated in all channels.
    let white: Double
    let corrections: SensorCorrections

    /// Width of a cell as a share of the spread, if the mosaic allows it.
    private static let cellShare = 1.1
    /// In pixels along an edge.
    private static let maxCell = 96

    /// Nil for a picture smaller than a cell. `SensorValidation` has checked the image; the spread is in pixels.
    func map(_ image: borrowing SensorImage, spread: Double, lamps: LampLight, threads: Int) -> HalationMap? {
        let layout = image.facts.layout
        // Whole periods of any mosaic, and whole steps of the map.
        let step = layout.period == 6 ? 12 : HalationMap.cellMultiple
        let cell = min(max(Int(spread * Self.cellShare) / step, 1), Self.maxCell / step) * step
        guard let samples = SensorSamples(image),
            let cells = CellLight(samples, layout: layout, levels: levels, cell: cell)
        else { return nil }
        let light = self.light(cells, image.facts, lamps, threads)
        let columns = (size.width + cell - 1) / cell
        let rows = (size.height + cell - 1) / cell
        if corrections.warps.isEmpty, (columns, rows) == (cells.columns, cells.rows) {
            return HalationMap(light: light, columns: columns, size: size, cell: cell, spread: spread)
        }
        var map: [SIMD4<Float>] = []
        map.reserveCapacity(columns * rows)
        for y in 0..<rows {
            for x in 0..<columns { map.append(value(light, cells, x, y, image.facts.crop)) }
        }
        return HalationMap(light: map, columns: columns, size: size, cell: cell, spread: spread)
    }

    /// Scene light in the sensor's cells, row by row.
    private func light(
        _ cells: CellLight, _ facts: SensorFacts, _ lamps: LampLight, _ threads: Int
    ) -> [SIMD4<Float>] {
        let highlights = HighlightReconstruction(clip: levels.clip)
        let matrix = ColourMatrix(matrix)
        let columns = cells.columns
        return unsafe [SIMD4<Float>](unsafeUninitializedCapacity: columns * cells.rows) { light, count in
            count = columns * cells.rows
            guard let start = light.baseAddress else { return }
            // Each thread writes separate rows, and all finish before the closure returns.
            nonisolated(unsafe) let first = unsafe start
            let shares = min(max(threads, 1), cells.rows)
            Parallel.forEach(shares) { share in
                for y in cells.rows * share / shares..<cells.rows * (share + 1) / shares {
                    unsafe cells.light(
                        row: y, factors: factors(facts, cells, y), highlights: highlights, matrix: matrix,
                        lamps: lamps, into: first + y * columns)
                }
            }
        }
    }

    /// Gains at the middle of each cell in a row; empty for none.
    private func factors(_ facts: SensorFacts, _ cells: CellLight, _ y: Int) -> [SIMD4<Float>] {
        if corrections.gains.isEmpty { return [] }
        let cell = cells.cell
        return (0..<cells.columns).map { x in
            let (column, row) = (facts.crop.x + x * cell + cell / 2, facts.crop.y + y * cell + cell / 2)
            var gain = SIMD4<Float>(repeating: 1)
            for channel in 0..<3 {
                gain[channel] = corrections.gains.reduce(1) { $0 * $1.factor(x: column, y: row, channel: channel) }
            }
            return gain
        }
    }

    /// Light of a picture cell, from the sensor position that it comes from.
    private func value(
        _ light: [SIMD4<Float>], _ cells: CellLight, _ x: Int, _ y: Int, _ crop: PixelRect
    ) -> SIMD4<Float> {
        func value(_ x: Int, _ y: Int) -> SIMD4<Float> {
            light[min(max(y, 0), cells.rows - 1) * cells.columns + min(max(x, 0), cells.columns - 1)]
        }
        if corrections.warps.isEmpty { return value(x, y) }
        let half = Double(cells.cell) / 2
        let (middleX, middleY) = (Double(crop.x) + half, Double(crop.y) + half)
        let found = corrections.source(
            .init(repeating: Double(x * cells.cell) + middleX), .init(repeating: Double(y * cells.cell) + middleY),
            channel: 1)
        func place(_ value: Double, _ middle: Double, _ count: Int) -> (cell: Int, fraction: Float) {
            let place = (value - middle) / Double(cells.cell)
            // NaN becomes 0.
            let bounded = place > 0 ? min(place, Double(count - 1)) : 0
            return (Int(bounded), Float(bounded - bounded.rounded(.down)))
        }
        let (left, across) = place(found.x[0], middleX, cells.columns)
        let (top, down) = place(found.y[0], middleY, cells.rows)
        let upper = value(left, top) + (value(left + 1, top) - value(left, top)) * across
        let lower = value(left, top + 1) + (value(left + 1, top + 1) - value(left, top + 1)) * across
        return upper + (lower - upper) * down
    }
}
