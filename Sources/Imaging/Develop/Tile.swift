import PictureFormat
import Pixels

/// Two rows of a picture in light as squares of 2 × 2 pixels, as many as stay near the processor: what flows from
/// source to sinks.
///
/// The squares are those that share chroma samples. Their pixels stand in four rows, one for each corner: a mosaic's
/// colours, the mean of a square and its chroma then need no pixel from another place of a row, and to all that is done
/// to single pixels their order is the same. At the picture's edges a row or column without a partner stands there twice.
struct Tile {
    /// Squares of a whole tile, and columns.
    static let squares = 256
    static let width = 2 * squares
    /// Scratch rows of `squares` floats that a tile takes: red, green and blue of each corner.
    static let planes = 12

    /// Column and row of the first pixel, which may lie one outside the picture.
    let x: Int
    let y: Int
    /// Squares.
    let count: Int
    /// Rows and columns inside the picture.
    let rows: Range<Int>
    let columns: Range<Int>
    /// Red of the first corner, and how far it is from one of the `planes` rows to the next.
    private var first: UnsafeMutablePointer<Float>
    private var stride: Int

    /// A tile in scratch memory of `planes` rows.
    ///
    /// - Parameters:
    ///   - start: where in the rows the tile begins.
    ///   - x: the first column: even, or odd where the squares begin one column late (and then from -1).
    ///   - y: the first row, likewise.
    init(in store: borrowing ScratchRows, from start: Int = 0, x: Int, y: Int, size: PixelSize) {
        self.x = x
        self.y = y
        count = min(Tile.squares, (size.width - x + 1) / 2)
        rows = max(y, 0)..<min(y + 2, size.height)
        columns = max(x, 0)..<min(x + 2 * count, size.width)
        first = store.row(0) + start
        stride = store.row(1) - store.row(0)
    }

    /// The same place of the picture in other memory.
    func placed(in store: borrowing ScratchRows) -> Tile {
        var tile = self
        tile.first = store.row(0)
        tile.stride = store.row(1) - store.row(0)
        return tile
    }

    /// 0 upper left, 1 upper right, 2 lower left, 3 lower right.
    @inline(__always)
    func corner(_ index: Int) -> PixelRow {
        let red = first + 3 * index * stride
        return PixelRow(
            red: red, green: red + stride, blue: red + 2 * stride, count: count, x: x + index & 1, y: y + index >> 1,
            step: 2)
    }

    /// No pixel lies outside the picture.
    var isWhole: Bool { rows.count == 2 && columns.count == 2 * count }

    /// Columns and rows outside the picture take the values of their neighbours inside.
    func repeatEdges() {
        if isWhole { return }
        for column in 0..<2 {
            let (upper, lower) = (corner(column), corner(2 + column))
            if rows.lowerBound > y { upper.repeatValues(of: lower) }
            if rows.upperBound < y + 2 { lower.repeatValues(of: upper) }
        }
        for row in 0..<2 {
            let (left, right) = (corner(2 * row), corner(2 * row + 1))
            if columns.lowerBound > x { left.piece(from: 0, count: 1).repeatValues(of: right) }
            if columns.upperBound < x + 2 * count {
                right.piece(from: count - 1, count: 1).repeatValues(of: left.piece(from: count - 1, count: 1))
            }
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
        PixelRow(
            red: red + start, green: green + start, blue: blue + start, count: count, x: column(start), y: y,
            step: step)
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
