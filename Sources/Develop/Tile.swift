import Pixels

/// Two rows of a picture in light, as wide as stays in the processor's first cache: what flows from source to sinks.
///
/// The rows are the two that share chroma samples, and the columns come in whole squares of 2 × 2; at the picture's
/// edges a row or column without a partner stands there twice.
struct Tile {
    /// Columns of a whole tile; even.
    static let width = 512

    var upper: PixelRow
    var lower: PixelRow
    /// Rows and columns inside the picture.
    var rows: Range<Int>
    var columns: Range<Int>

    /// Column and row of the first pixel, which may lie one outside the picture.
    var x: Int { upper.x }
    var y: Int { upper.y }
    var count: Int { upper.count }

    /// A tile in scratch memory of six rows.
    ///
    /// - Parameters:
    ///   - x: the first column: even, or odd where the squares begin one column late (and then from -1).
    ///   - y: the first row, likewise.
    init(in store: borrowing RowStore, x: Int, y: Int, size: PixelSize) {
        let count = min(Tile.width, (size.width - x + 1) & ~1)
        upper = PixelRow(red: store.row(0), green: store.row(1), blue: store.row(2), count: count, x: x, y: y)
        lower = PixelRow(red: store.row(3), green: store.row(4), blue: store.row(5), count: count, x: x, y: y + 1)
        rows = max(y, 0)..<min(y + 2, size.height)
        columns = max(x, 0)..<min(x + count, size.width)
    }

    /// Columns and rows outside the picture take the values of their neighbours inside.
    mutating func repeatEdges() {
        if rows.lowerBound > y { upper.repeatValues(of: lower) }
        if rows.upperBound < y + 2 { lower.repeatValues(of: upper) }
        repeatColumns(upper)
        repeatColumns(lower)
    }

    private func repeatColumns(_ row: PixelRow) {
        let last = count - 1
        if columns.lowerBound > x {
            row.red[0] = row.red[1]
            row.green[0] = row.green[1]
            row.blue[0] = row.blue[1]
        }
        if columns.upperBound < x + count {
            row.red[last] = row.red[last - 1]
            row.green[last] = row.green[last - 1]
            row.blue[last] = row.blue[last - 1]
        }
    }
}

extension PixelRow {
    func repeatValues(of other: PixelRow) {
        red.update(from: other.red, count: count)
        green.update(from: other.green, count: count)
        blue.update(from: other.blue, count: count)
    }

    /// The piece from `start` with `count` pixels.
    @inline(__always)
    func piece(from start: Int, count: Int) -> PixelRow {
        PixelRow(red: red + start, green: green + start, blue: blue + start, count: count, x: x + start, y: y)
    }
}

/// Gives a picture's tiles, made of camera colour that is white-balanced: 1 is the saturation of the least amplified
/// channel.
protocol TileSource: AnyObject {
    /// Tiles of rows `y` and `y + 1` will be asked for; calls come in ascending order, two rows apart.
    func prepare(_ y: Int)
    /// Fills a tile where it lies inside the picture with colours that went through `matrix`; what it writes elsewhere
    /// has no meaning.
    func fill(_ tile: Tile, matrix: ColourMatrix)
}

/// Takes a picture's tiles in light: row pairs in ascending order, and in each all tiles from left to right.
protocol TileSink: AnyObject {
    func take(_ tile: Tile)
    /// All tiles were given.
    func finish()
}
