import Pixels

/// Renders tiles of light to 8-bit Y′CbCr.
protocol TileWriter: AnyObject {
    /// Writes luma of a tile's upper and lower row, and one chroma sample per square.
    func writeSquares(
        _ tile: Tile, luma: (upper: UnsafeMutablePointer<UInt8>, lower: UnsafeMutablePointer<UInt8>),
        cb: UnsafeMutablePointer<UInt8>, cr: UnsafeMutablePointer<UInt8>)

    /// Writes luma and chroma of each pixel of a tile's row 0 or 1.
    func write(
        _ tile: Tile, row: Int, luma: UnsafeMutablePointer<UInt8>, cb: UnsafeMutablePointer<UInt8>,
        cr: UnsafeMutablePointer<UInt8>)
}

/// The writer for any look: renders display-encoded colours, then Y′CbCr.
final class GenericTileWriter: TileWriter {
    private let rendering: Rendering
    private let scratch = ScratchRows(rows: Tile.planes, count: Tile.squares)

    init(_ rendering: Rendering) { self.rendering = rendering }

    private func render(_ tile: Tile, _ corners: Range<Int>) -> Tile {
        let result = tile.moved(to: scratch)
        for corner in corners { rendering.render(tile.corner(corner), into: result.corner(corner)) }
        return result
    }

    func writeSquares(
        _ tile: Tile, luma: (upper: UnsafeMutablePointer<UInt8>, lower: UnsafeMutablePointer<UInt8>),
        cb: UnsafeMutablePointer<UInt8>, cr: UnsafeMutablePointer<UInt8>
    ) {
        let tile = render(tile, 0..<4)
        YCbCrConversion.luma(tile.corner(0), tile.corner(1), into: luma.upper)
        YCbCrConversion.luma(tile.corner(2), tile.corner(3), into: luma.lower)
        YCbCrConversion.chromaOfSquares(tile, cb: cb, cr: cr)
    }

    func write(
        _ tile: Tile, row: Int, luma: UnsafeMutablePointer<UInt8>, cb: UnsafeMutablePointer<UInt8>,
        cr: UnsafeMutablePointer<UInt8>
    ) {
        let tile = render(tile, 2 * row..<2 * row + 2)
        let (left, right) = (tile.corner(2 * row), tile.corner(2 * row + 1))
        YCbCrConversion.luma(left, right, into: luma)
        YCbCrConversion.chroma(left, right, cb: cb, cr: cr)
    }
}
