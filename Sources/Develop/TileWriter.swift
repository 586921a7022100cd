import Pixels

/// Makes bytes of light: a tile is rendered, and then written.
protocol TileWriter: AnyObject {
    func render(_ tile: Tile)

    /// Luma of the rendered tile's upper and lower row, and one chroma sample for each of its squares.
    func writeSquares(
        luma: (upper: UnsafeMutablePointer<UInt8>, lower: UnsafeMutablePointer<UInt8>),
        cb: UnsafeMutablePointer<UInt8>, cr: UnsafeMutablePointer<UInt8>)

    /// Luma and chroma of each pixel of the rendered tile's row 0 or 1.
    func write(
        row: Int, luma: UnsafeMutablePointer<UInt8>, cb: UnsafeMutablePointer<UInt8>, cr: UnsafeMutablePointer<UInt8>)
}

/// The way that serves every look: display-encoded colours first, then Y′CbCr.
final class ColourWriter: TileWriter {
    private let rendering: Rendering
    private let scratch = RowStore(rows: Tile.planes, count: Tile.squares)
    private var rendered: Tile?

    init(_ rendering: Rendering) { self.rendering = rendering }

    func render(_ tile: Tile) {
        let result = tile.placed(in: scratch)
        for index in 0..<4 { rendering.render(tile.corner(index), into: result.corner(index)) }
        rendered = result
    }

    func writeSquares(
        luma: (upper: UnsafeMutablePointer<UInt8>, lower: UnsafeMutablePointer<UInt8>),
        cb: UnsafeMutablePointer<UInt8>, cr: UnsafeMutablePointer<UInt8>
    ) {
        guard let tile = rendered else { return }
        LumaChroma.luma(tile.corner(0), tile.corner(1), into: luma.upper)
        LumaChroma.luma(tile.corner(2), tile.corner(3), into: luma.lower)
        LumaChroma.chromaOfSquares(tile, cb: cb, cr: cr)
    }

    func write(
        row: Int, luma: UnsafeMutablePointer<UInt8>, cb: UnsafeMutablePointer<UInt8>, cr: UnsafeMutablePointer<UInt8>
    ) {
        guard let tile = rendered else { return }
        let (left, right) = (tile.corner(2 * row), tile.corner(2 * row + 1))
        LumaChroma.luma(left, right, into: luma)
        LumaChroma.chroma(left, right, cb: cb, cr: cr)
    }
}
