package import PictureFormat
import Pixels

/// The light of a picture as it is spread behind a film's layers, on a grid of cells between whose middles it is linear.
///
/// `@unchecked Sendable`: the memory behind the pointer is written only in `init`, and freed with the map.
package final class HalationMap: @unchecked Sendable {
    /// A cell's edge is a multiple of so many pixels, so that lines between cells begin and end with squares of pixels.
    package static let cellMultiple = 4

    /// Red, green and blue of each cell, row by row; the fourth lane has no meaning.
    private let cells: UnsafeMutablePointer<SIMD4<Float>>
    private let columns: Int
    private let rows: Int
    private let cell: Int
    /// For squares between the middles of two cells, in groups of eight: how far they are from the first.
    private let fractions: [SIMD8<Float>]
    let size: PixelSize

    /// Spreads the light of cells. Proves that there is a value for each cell, and cells for the whole picture: nil otherwise.
    ///
    /// The spread is a filter with an exponential to both sides, twice along rows and twice along columns: nearly round, with the
    /// long tails of light that is reflected several times.
    ///
    /// - Parameters:
    ///   - light: of cells, row by row; red, green, blue, and an unused lane.
    ///   - columns: cells in a row.
    ///   - size: of the picture.
    ///   - cell: pixels along an edge of a cell, a multiple of `cellMultiple`.
    ///   - spread: the standard deviation along one direction, in pixels.
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
        // Averaging over a cell and lines between cells blur by themselves.
        blur(variance: max(share * share - 1.0 / 12 - 1.0 / 6, 0.01))
    }

    deinit { cells.deallocate() }

    /// - Parameter variance: in cells, above 0.
    private func blur(variance: Double) {
        // An exponential aⁿ to both sides has the variance 2a / (1 − a)². Two of them: 4a / (1 − a)² = variance.
        let b = 1 + 2 / variance
        let a = Float(b - (b * b - 1).squareRoot())
        for _ in 0..<2 {
            for y in 0..<rows { Self.pass(cells + y * columns, columns, a) }
        }
        for _ in 0..<2 {
            for y in 1..<max(rows, 1) { mix(y, with: y - 1, a) }
            for y in (0..<rows - 1).reversed() { mix(y, with: y + 1, a) }
        }
    }

    /// Forth and back along a row. Its ends are taken to go on for ever.
    private static func pass(_ row: UnsafeMutablePointer<SIMD4<Float>>, _ count: Int, _ a: Float) {
        var last = row[0]
        for x in 0..<count {
            last = row[x] + (last - row[x]) * a
            row[x] = last
        }
        for x in (0..<count).reversed() {
            last = row[x] + (last - row[x]) * a
            row[x] = last
        }
    }

    private func mix(_ row: Int, with other: Int, _ a: Float) {
        let (to, from) = (cells + row * columns, cells + other * columns)
        for x in 0..<columns { to[x] += (from[x] - to[x]) * a }
    }

    // MARK: - Rows of squares

    /// Floats of a row for each channel that ``write(y:into:)`` needs: a value for each square of 2 × 2 pixels, and what lies
    /// before and behind.
    var rowCount: Int { before + (columns + 1) * (cell / 2) + 8 }

    /// Floats of a row before the first square.
    var before: Int { cell / 4 }

    /// The spread light in the squares of two rows of the picture, from ``before`` on.
    ///
    /// - Parameters:
    ///   - y: the first row, which may be −1.
    ///   - planes: room for ``rowCount`` values of each channel.
    func write(y: Int, into planes: PlanarRow) {
        let place = (Float(y) + 1) / Float(cell) - 0.5
        let bounded = place > 0 ? place : 0
        let upper = min(Int(bounded), rows - 1)
        let down = min(bounded - Float(upper), 1)
        let (top, bottom) = (cells + upper * columns, cells + min(upper + 1, rows - 1) * columns)
        func value(_ x: Int) -> SIMD4<Float> { top[x] + (bottom[x] - top[x]) * down }
        let squares = cell / 2
        var start = value(0)
        var index = 0
        for x in 0...columns {
            let end = value(min(x, columns - 1))
            let slope = end - start
            for group in 0..<fractions.count {
                let fraction = fractions[group]
                let first = index + 8 * group
                Self.store(start.x + fraction * slope.x, planes.red + first)
                Self.store(start.y + fraction * slope.y, planes.green + first)
                Self.store(start.z + fraction * slope.z, planes.blue + first)
            }
            start = end
            index += squares
        }
    }

    /// Eight values at once; those that are too many are written over by the next ones.
    @inline(__always)
    private static func store(_ values: SIMD8<Float>, _ target: UnsafeMutablePointer<Float>) {
        UnsafeMutableRawPointer(target).storeBytes(of: values, as: SIMD8<Float>.self)
    }
}
