package import PictureFormat
import Pixels

/// A picture's light after spreading behind a film's layers, on a grid of cells with linear interpolation.
///
/// `@unchecked Sendable`: the memory is written only in `init`, and freed with the map.
package final class HalationMap: @unchecked Sendable {
    /// Factor of a cell's edge in pixels, so that interpolation starts and ends with squares of pixels.
    package static let cellMultiple = 4

    /// Red, green and blue of each cell, row by row; the fourth lane is unused.
    private let cells: UnsafeMutablePointer<SIMD4<Float>>
    private let columns: Int
    private let rows: Int
    private let cell: Int
    /// Interpolation weights of squares between the middles of two cells, in groups of eight.
    private let fractions: [SIMD8<Float>]
    let size: PixelSize

    /// Spreads the light of cells. Proves that there is a value for each cell, and cells for the whole picture: nil
    /// otherwise.
    ///
    /// The filter is a two-sided exponential, twice along rows and twice along columns: nearly round, with the long
    /// tails of light that is reflected several times.
    ///
    /// - Parameters:
    ///   - light: of cells, row by row; red, green, blue, and an unused lane.
    ///   - columns: cells per row.
    ///   - cell: pixels along a cell's edge, a multiple of `cellMultiple`.
    ///   - spread: standard deviation along one direction, in pixels.
    package init?(light: [SIMD4<Float>], columns: Int, size: PixelSize, cell: Int, spread: Double) {
        guard columns > 0, (Self.cellMultiple...1024).contains(cell), cell % Self.cellMultiple == 0,
            (1..<1 << 20).contains(size.width), (1..<1 << 20).contains(size.height), light.count >= columns,
            light.count % columns == 0, columns >= (size.width + cell - 1) / cell,
            light.count / columns >= (size.height + cell - 1) / cell
        else { return nil }
        self.columns = columns
        rows = light.count / columns
        self.size = size
        self.cell = cell
        cells = .allocate(capacity: light.count)
        cells.initialize(from: light, count: light.count)
        let groups = (cell / 2 + 7) / 8
        fractions = (0..<groups).map { group in
            var vector = SIMD8<Float>.zero
            for i in 0..<8 { vector[i] = Float(1 + 2 * (8 * group + i)) / Float(cell) }
            return vector
        }
        let share = spread / Double(cell)
        // Averaging over a cell and interpolation between cells already blur.
        blur(variance: max(share * share - 1.0 / 12 - 1.0 / 6, 0.01))
    }

    deinit { cells.deallocate() }

    /// The variance is in cells, above 0.
    private func blur(variance: Double) {
        // A two-sided exponential aⁿ has the variance 2a / (1 − a)². Two of them: 4a / (1 − a)² = variance.
        let b = 1 + 2 / variance
        let a = Float(b - (b * b - 1).squareRoot())
        for _ in 0..<2 {
            for y in stride(from: 0, to: rows, by: 4) { pass(y, a) }
        }
        for _ in 0..<2 {
            for y in 1..<max(rows, 1) { mix(y, with: y - 1, a) }
            for y in (0..<rows - 1).reversed() { mix(y, with: y + 1, a) }
        }
    }

    /// Filters four rows forwards and backwards at once, because each value waits for the previous one. Values at the
    /// ends extend infinitely. At the picture's end, fewer rows are filtered one by one.
    private func pass(_ y: Int, _ a: Float) {
        if y + 4 > rows {
            for y in y..<rows { Self.pass(cells + y * columns, columns, a) }
            return
        }
        let (p, q, r, s) = (
            cells + y * columns, cells + (y + 1) * columns, cells + (y + 2) * columns, cells + (y + 3) * columns
        )
        var (i, j, k, l) = (p[0], q[0], r[0], s[0])
        func step(_ x: Int) {
            (i, j, k, l) = (p[x] + (i - p[x]) * a, q[x] + (j - q[x]) * a, r[x] + (k - r[x]) * a, s[x] + (l - s[x]) * a)
            (p[x], q[x], r[x], s[x]) = (i, j, k, l)
        }
        for x in 0..<columns { step(x) }
        for x in (0..<columns).reversed() { step(x) }
    }

    private static func pass(_ row: UnsafeMutablePointer<SIMD4<Float>>, _ count: Int, _ a: Float) {
        var last = row[0]
        func step(_ x: Int) {
            last = row[x] + (last - row[x]) * a
            row[x] = last
        }
        for x in 0..<count { step(x) }
        for x in (0..<count).reversed() { step(x) }
    }

    private func mix(_ row: Int, with other: Int, _ a: Float) {
        let (to, from) = (cells + row * columns, cells + other * columns)
        for x in 0..<columns { to[x] += (from[x] - to[x]) * a }
    }

    // MARK: - Rows of squares

    /// Floats per row and channel of ``write(y:into:)``: a value for each square of 2 × 2 pixels, and margins.
    var rowCount: Int { before + (columns + 1) * (cell / 2) + 8 }

    /// Floats of a row before the first square.
    var before: Int { cell / 4 }

    /// Writes the spread light in the squares of two rows, from ``before`` on. `y` may be −1; the planes have room for
    /// ``rowCount`` values. Nothing is written for a channel whose share is 0.
    func write(y: Int, into planes: PlanarRow, shares: SIMD3<Float>) {
        let place = (Float(y) + 1) / Float(cell) - 0.5
        let bounded = place > 0 ? place : 0
        let upper = min(Int(bounded), rows - 1)
        let down = min(bounded - Float(upper), 1)
        let (top, bottom) = (cells + upper * columns, cells + min(upper + 1, rows - 1) * columns)
        withUnsafeTemporaryAllocation(of: Float.self, capacity: columns) { line in
            // There is a cell.
            let line = line.baseAddress.unsafelyUnwrapped
            for channel in 0..<3 where shares[channel] != 0 {
                let (above, below) = (Self.floats(top) + channel, Self.floats(bottom) + channel)
                for x in 0..<columns { line[x] = above[4 * x] + (below[4 * x] - above[4 * x]) * down }
                if cell == 4 {
                    writePairs(line, into: planes[channel])
                } else {
                    write(line, into: planes[channel])
                }
            }
        }
    }

    private static func floats(_ cells: UnsafePointer<SIMD4<Float>>) -> UnsafePointer<Float> {
        UnsafeRawPointer(cells).assumingMemoryBound(to: Float.self)
    }

    private func write(_ values: UnsafePointer<Float>, into plane: UnsafeMutablePointer<Float>) {
        var target = plane
        var start = values[0]
        for x in 0...columns {
            let end = values[min(x, columns - 1)]
            let slope = end - start
            for group in 0..<fractions.count { Self.store(start + fractions[group] * slope, target + 8 * group) }
            start = end
            target += cell / 2
        }
    }

    /// Like `write`, with equal results, for cells of two squares.
    private func writePairs(_ values: UnsafePointer<Float>, into plane: UnsafeMutablePointer<Float>) {
        let (first, second) = (fractions[0][0], fractions[0][1])
        for x in 1..<max(columns, 1) {
            let slope = values[x] - values[x - 1]
            plane[2 * x] = values[x - 1] + first * slope
            plane[2 * x + 1] = values[x - 1] + second * slope
        }
        let end = columns - 1
        for square in 0..<2 {
            plane[square] = values[0]
            plane[2 * columns + square] = values[end]
        }
    }

    /// Stores eight values; later ones overwrite the surplus.
    @inline(__always)
    private static func store(_ values: SIMD8<Float>, _ target: UnsafeMutablePointer<Float>) {
        UnsafeMutableRawPointer(target).storeBytes(of: values, as: SIMD8<Float>.self)
    }
}
