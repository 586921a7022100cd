import PictureFormat
package import Pixels

/// Means of a sensor's samples over square cells, in balanced camera colour.
///
/// `@unchecked Sendable`: the samples' plane, which must outlive the value, is only read.
package struct CellLight: @unchecked Sendable {
    private let samples: SensorSamples
    private let levels: SampleLevels
    /// The mosaic's period in samples: 1, 2 or 6.
    private let period: Int
    /// Channel of a sample, by row and column of a period.
    private let channels: [Int]
    /// Pixels along an edge.
    package let cell: Int
    /// Cells per row.
    package let columns: Int
    /// Rows of cells.
    package let rows: Int

    /// Proves that a cell holds whole periods, and that the picture has a cell: nil otherwise.
    ///
    /// - Parameter cell: pixels along an edge, a multiple of the mosaic's period, at most 200.
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

    /// Writes scene light in the cells of a row, 0 to `rows - 1`: red, green, blue, and 0.
    ///
    /// - Parameters:
    ///   - factors: gains of the light in each cell; empty for none.
    ///   - matrix: from balanced camera colour to scene light.
    ///   - lamps: assumed brightness of saturated lights.
    ///   - cells: room for ``columns`` values.
    package func light(
        row: Int, factors: [SIMD4<Float>], highlights: HighlightReconstruction, matrix: ColourMatrix,
        lamps: LampLight, into cells: UnsafeMutablePointer<SIMD4<Float>>
    ) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * columns) { memory in
            // There is a cell.
            let red = memory.baseAddress.unsafelyUnwrapped
            let light = PixelRow(red: red, green: red + columns, blue: red + 2 * columns, count: columns)
            if let squares = BayerSquares(channels), cell % 4 == 0 {
                fill(light, row, squares)
            } else {
                fill(light, row)
            }
            for (x, factor) in factors.prefix(columns).enumerated() {
                light.red[x] *= factor.x
                light.green[x] *= factor.y
                light.blue[x] *= factor.z
            }
            if highlights.areNear(light) {
                highlights.restore(light, x: 0, y: 0)
            }
            matrix.apply(light)
            for x in 0..<columns {
                cells[x] = lamps.restored(SIMD4(light.red[x], light.green[x], light.blue[x], 0))
            }
        }
    }

    private func black(_ x: Int, _ y: Int) -> Float {
        levels.blackLevel(x: samples.crop.x * samples.samplesPerPixel + x, y: samples.crop.y + y)
    }

    // MARK: - Any mosaic

    /// Means of each cell's samples, 0 or more.
    private func fill(_ light: PixelRow, _ row: Int) {
        let planes = PlanarRow(red: light.red, green: light.green, blue: light.blue)
        var counts = SIMD3<Float>.zero
        let perPixel = samples.samplesPerPixel
        let width = columns * cell * perPixel
        for channel in 0..<3 { planes[channel].update(repeating: 0, count: columns) }
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: width) { line in
            guard let line = line.baseAddress else { return }
            // Rows of one mosaic phase have the same channels and are summed column by column.
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
                    add(line + column, apart: max(period, perPixel), channel, black(column, y), to: planes[channel])
                }
            }
        }
        // A monochrome sensor has only green, which replaces all channels.
        let isGrey = counts.x == 0 && counts.z == 0
        for channel in 0..<3 {
            let (plane, count) = (planes[channel], counts[channel] > 0 ? counts[channel] : 1)
            for x in 0..<columns { plane[x] = plane[x] > 0 ? plane[x] / count : 0 }
        }
        guard isGrey else { return }
        light.red.update(from: light.green, count: columns)
        light.blue.update(from: light.green, count: columns)
    }

    /// Adds the mean light of every `apart`-th sample of each cell, of all its rows of a phase.
    private func add(
        _ line: UnsafePointer<UInt32>, apart: Int, _ channel: Int, _ black: Float,
        to sums: UnsafeMutablePointer<Float>
    ) {
        let step = cell * samples.samplesPerPixel
        let share = 1 / Float(cell / period * (step / apart))
        let scale = levels.scale[channel]
        for x in 0..<columns {
            let first = line + x * step
            var sum: UInt32 = 0
            for i in 0..<step / apart { sum &+= first[i * apart] }
            sums[x] += (Float(sum) * share - black) * scale
        }
    }

    // MARK: - Bayer's

    /// Positions of the colours in a square of 2 × 2 samples, in reading order.
    private struct BayerSquares {
        let red: Int
        let greens: (Int, Int)
        let blue: Int

        /// Nil for another mosaic. `channels` are those of a period.
        init?(_ channels: [Int]) {
            guard channels.sorted() == [0, 1, 1, 2], let red = channels.firstIndex(of: 0),
                let first = channels.firstIndex(of: 1), let last = channels.lastIndex(of: 1),
                let blue = channels.firstIndex(of: 2)
            else { return nil }
            self.red = red
            greens = (first, last)
            self.blue = blue
        }
    }

    /// Same values as for any mosaic, but four samples of a square at once.
    private func fill(_ light: PixelRow, _ row: Int, _ squares: BayerSquares) {
        let width = columns * cell
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 2 * width) { lines in
            // There is a cell.
            let (upper, lower) = (lines.baseAddress.unsafelyUnwrapped, lines.baseAddress.unsafelyUnwrapped + width)
            sum(row * cell, width, into: upper)
            sum(row * cell + 1, width, into: lower)
            withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: columns) { means in
                let means = means.baseAddress.unsafelyUnwrapped
                average(upper, lower, row, into: means)
                let values = UnsafeRawPointer(means).assumingMemoryBound(to: Float.self)
                for x in 0..<columns {
                    let value = values[4 * x + squares.red]
                    light.red[x] = value > 0 ? value : 0
                }
                for x in 0..<columns {
                    let value = values[4 * x + squares.greens.0] + values[4 * x + squares.greens.1]
                    light.green[x] = value > 0 ? value / 2 : 0
                }
                for x in 0..<columns {
                    let value = values[4 * x + squares.blue]
                    light.blue[x] = value > 0 ? value : 0
                }
            }
        }
    }

    /// Sums every other row of a cell, column by column, two at a time.
    private func sum(_ first: Int, _ width: Int, into line: UnsafeMutablePointer<UInt32>) {
        for y in stride(from: first, to: first + cell, by: 4) {
            let (row, next) = (samples.row(y), samples.row(y + 2))
            if y == first {
                for x in 0..<width { line[x] = UInt32(row[x]) &+ UInt32(next[x]) }
            } else {
                for x in 0..<width { line[x] &+= UInt32(row[x]) &+ UInt32(next[x]) }
            }
        }
    }

    /// Mean light of a cell's samples, by their place in a square.
    private func average(
        _ upper: UnsafePointer<UInt32>, _ lower: UnsafePointer<UInt32>, _ row: Int,
        into means: UnsafeMutablePointer<SIMD4<Float>>
    ) {
        var (black, scale) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
        for place in 0..<4 {
            black[place] = self.black(place & 1, row * cell + place >> 1)
            scale[place] = levels.scale[channels[place]]
        }
        let share = 1 / Float(cell / 2 * (cell / 2))
        for x in 0..<columns {
            var (above, below) = (SIMD4<UInt32>.zero, SIMD4<UInt32>.zero)
            for place in stride(from: x * cell, to: (x + 1) * cell, by: 4) {
                above &+= UnsafeRawPointer(upper + place).loadUnaligned(as: SIMD4<UInt32>.self)
                below &+= UnsafeRawPointer(lower + place).loadUnaligned(as: SIMD4<UInt32>.self)
            }
            let sums = SIMD4(
                lowHalf: above.lowHalf &+ above.highHalf, highHalf: below.lowHalf &+ below.highHalf)
            // Sums of at most 200 × 200 16-bit numbers stay below the sign bit.
            let light = SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: sums))
            means[x] = (light * share - black) * scale
        }
    }
}
