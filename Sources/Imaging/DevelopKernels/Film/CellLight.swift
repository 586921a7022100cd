import PictureFormat
package import Pixels

/// Means of a sensor's samples over square cells, in balanced camera colour.
///
/// `@unchecked Sendable`: the samples' plane, which has to outlive the value, is only read.
package struct CellLight: @unchecked Sendable {
    private let samples: SensorSamples
    private let levels: SampleLevels
    /// Samples along an edge after which the mosaic begins again: 1, 2 or 6.
    private let period: Int
    /// By row and column of a period, the channel of a sample.
    private let channels: [Int]
    /// Pixels along an edge of a cell.
    package let cell: Int
    /// Cells in a row.
    package let columns: Int
    /// Rows of cells.
    package let rows: Int

    /// Proves that a cell holds whole periods, and that the picture has a cell: nil otherwise.
    ///
    /// - Parameters:
    ///   - layout: of the samples.
    ///   - cell: pixels along an edge, a multiple of the mosaic's period, at most 1,000.
    package init?(_ samples: SensorSamples, layout: SensorLayout, levels: SampleLevels, cell: Int) {
        let period: Int
        switch layout {
        case .bayer: period = 2
        case .xTrans: period = 6
        case .monochrome, .linearRGB: period = 1
        }
        let size = samples.crop.size
        guard cell > 0, cell <= 200, cell % period == 0, size.width >= cell, size.height >= cell else { return nil }
        self.samples = samples
        self.levels = levels
        self.period = period
        self.cell = cell
        columns = size.width / cell
        rows = size.height / cell
        channels = (0..<period * period).map { index in
            layout.channel(x: samples.crop.x + index % period, y: samples.crop.y + index / period)
        }
    }

    /// Red, green and blue of the cells of a row; the fourth lane is 0.
    ///
    /// - Parameter row: of cells, 0 to `rows - 1`.
    package func means(row: Int) -> [SIMD4<Float>] {
        var sums = [SIMD4<Float>](repeating: .zero, count: columns)
        var counts = SIMD4<Float>.zero
        let perPixel = samples.samplesPerPixel
        let width = columns * cell * perPixel
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: width) { line in
            guard let line = line.baseAddress else { return }
            // Rows of one phase of the mosaic have the same channels: they are added up column by column.
            for phase in 0..<period {
                for x in 0..<width { line[x] = 0 }
                for y in stride(from: row * cell + phase, to: (row + 1) * cell, by: period) {
                    let row = samples.row(y)
                    for x in 0..<width { line[x] &+= UInt32(row[x]) }
                }
                let y = row * cell + phase
                for column in 0..<max(period, perPixel) {
                    let channel = perPixel == 3 ? column : channels[phase * period + column]
                    counts[channel] += 1
                    add(line + column, apart: max(period, perPixel), channel, black(column, y), to: &sums)
                }
            }
        }
        // A monochrome sensor has green alone, which stands for all.
        let grey = counts.x == 0 && counts.z == 0
        for x in 0..<columns {
            let mean = sums[x] / counts.replacing(with: 1, where: counts .== 0)
            let light = grey ? SIMD4(mean.y, mean.y, mean.y, 0) : mean
            sums[x] = light.replacing(with: 0, where: light .< 0)
        }
        return sums
    }

    /// - Parameter x: a sample of the picture's row `y`.
    private func black(_ x: Int, _ y: Int) -> Float {
        levels.blackLevel(x: samples.crop.x * samples.samplesPerPixel + x, y: samples.crop.y + y)
    }

    /// Adds the mean light of every `apart`-th sample of each cell, of all its rows of a phase.
    private func add(
        _ line: UnsafePointer<UInt32>, apart: Int, _ channel: Int, _ black: Float, to sums: inout [SIMD4<Float>]
    ) {
        let step = cell * samples.samplesPerPixel
        let share = 1 / Float(cell / period * (step / apart))
        let scale = levels.scale[channel]
        for x in 0..<columns {
            let first = line + x * step
            var sum: UInt32 = 0
            for i in 0..<step / apart { sum &+= first[i * apart] }
            sums[x][channel] += (Float(sum) * share - black) * scale
        }
    }
}
