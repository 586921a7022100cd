import PictureFormat
import Pixels

/// A piece of two rows of linear light as squares of 2 × 2 pixels, small enough for a processor's first caches: what
/// flows from a source to the sinks.
///
/// Each square shares chroma samples. Its pixels lie in four rows, one per corner, so a mosaic's colours, a square's
/// mean and its chroma read one index of each row, and work on single pixels does not depend on the order. At the
/// picture's edges, rows and columns without a partner are repeated.
package struct Tile {
    /// Squares of a full tile, and its columns.
    static let squares = 256
    static let width = 2 * squares
    /// Scratch rows of `squares` floats per tile: red, green and blue of each corner.
    static let planes = 12

    /// Column and row of the first pixel, which may be one before the picture.
    let x: Int
    let y: Int
    let count: Int
    /// Rows and columns inside the picture.
    let rows: Range<Int>
    let columns: Range<Int>
    /// Red of the first corner, and the distance of the `planes` rows.
    private var first: UnsafeMutablePointer<Float>
    private var stride: Int

    /// A tile in scratch memory of `planes` rows, which must outlive the tile. `start` is its index in the rows. The
    /// first column is even, or odd (from -1 on) if the squares start one column before the picture; likewise the first
    /// row.
    init(in store: borrowing ScratchRows, from start: Int = 0, x: Int, y: Int, size: PixelSize) {
        self.x = x
        self.y = y
        count = min(Tile.squares, (size.width - x + 1) / 2)
        rows = max(y, 0)..<min(y + 2, size.height)
        columns = max(x, 0)..<min(x + 2 * count, size.width)
        first = store.row(0) + start
        stride = store.row(1) - store.row(0)
    }

    /// The same piece in other memory; values are not copied.
    func moved(to store: borrowing ScratchRows) -> Tile {
        var tile = self
        tile.first = store.row(0)
        tile.stride = store.row(1) - store.row(0)
        return tile
    }

    /// The pixels of one corner of the squares: 0 upper left, 1 upper right, 2 lower left, 3 lower right.
    @inline(__always)
    func corner(_ index: Int) -> PixelRow {
        let red = first + 3 * index * stride
        return PixelRow(
            red: red, green: red + stride, blue: red + 2 * stride, count: count, x: x + index & 1, y: y + index >> 1,
            step: 2)
    }

    /// Whether all pixels lie inside the picture.
    var isWhole: Bool { rows.count == 2 && columns.count == 2 * count }

    /// Gives columns and rows outside the picture the values of their neighbours inside.
    func repeatEdges() {
        if isWhole { return }
        for column in 0..<2 {
            let (upper, lower) = (corner(column), corner(2 + column))
            if rows.lowerBound > y { upper.copyValues(of: lower) }
            if rows.upperBound < y + 2 { lower.copyValues(of: upper) }
        }
        for row in 0..<2 {
            let (left, right) = (corner(2 * row), corner(2 * row + 1))
            if columns.lowerBound > x { left.piece(from: 0, count: 1).copyValues(of: right) }
            if columns.upperBound < x + 2 * count {
                right.piece(from: count - 1, count: 1).copyValues(of: left.piece(from: count - 1, count: 1))
            }
        }
    }
}

// MARK: - Rows of pixels

/// Conversions between squares and rows in reading order.
extension Tile {
    /// Scratch memory of three rows of `width` floats, as row `y` of the tile.
    func row(_ y: Int, in store: borrowing ScratchRows) -> PixelRow {
        PixelRow(red: store.row(0), green: store.row(1), blue: store.row(2), count: 2 * count, x: x, y: y)
    }

    /// The part of such a row inside the picture.
    func inside(_ row: PixelRow) -> PixelRow {
        row.piece(from: columns.lowerBound - x, count: columns.count)
    }

    /// Distributes the pixels of such a row to their corners.
    func split(_ row: PixelRow) {
        let (left, right) = corners(row.y)
        Self.split(row.red, left.red, right.red, count)
        Self.split(row.green, left.green, right.green, count)
        Self.split(row.blue, left.blue, right.blue, count)
    }

    private static func split(
        _ row: UnsafePointer<Float>, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
        _ count: Int
    ) {
        for x in 0..<count {
            left[x] = row[2 * x]
            right[x] = row[2 * x + 1]
        }
    }

    /// Writes the pixels of row `y` in reading order into a row of the whole picture, which has room for one pixel
    /// before its first and one after its last.
    func join(_ y: Int, into row: PlanarRow) {
        let (left, right) = corners(y)
        Self.join(left.red, right.red, row.red + x, count)
        Self.join(left.green, right.green, row.green + x, count)
        Self.join(left.blue, right.blue, row.blue + x, count)
    }

    private static func join(
        _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ row: UnsafeMutablePointer<Float>, _ count: Int
    ) {
        for x in 0..<count {
            row[2 * x] = left[x]
            row[2 * x + 1] = right[x]
        }
    }

    private func corners(_ y: Int) -> (left: PixelRow, right: PixelRow) {
        let left = 2 * (y - self.y)
        return (corner(left), corner(left + 1))
    }
}

/// A row of a picture as one plane per channel: sums, averages or light.
struct PlanarRow {
    let red: UnsafeMutablePointer<Float>
    let green: UnsafeMutablePointer<Float>
    let blue: UnsafeMutablePointer<Float>

    /// 0 red, 1 green, 2 blue.
    subscript(channel: Int) -> UnsafeMutablePointer<Float> { channel == 0 ? red : channel == 1 ? green : blue }
}

extension PixelRow {
    func copyValues(of other: PixelRow) {
        red.update(from: other.red, count: count)
        green.update(from: other.green, count: count)
        blue.update(from: other.blue, count: count)
    }

    /// The `count` pixels from index `start` on.
    @inline(__always)
    func piece(from start: Int, count: Int) -> PixelRow {
        PixelRow(
            red: red + start, green: green + start, blue: blue + start, count: count, x: column(start), y: y,
            step: step)
    }
}
