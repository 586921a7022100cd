import PictureFormat
import Pixels

/// Renders tiles of light and writes them as 8-bit Y′CbCr where they lie in the upright picture.
final class PictureSink: TileSink {
    private let writer: any TileWriter
    private let phase: (x: Int, y: Int)
    private let width: Int
    private let subsampling: ChromaSubsampling
    private let luma: TurnedPlane
    private let cb: TurnedPlane
    private let cr: TurnedPlane
    /// Two rows of a tile for each plane.
    private let spare: UnsafeMutablePointer<UInt8>
    private var lastRow = 0
    private var lastChromaRow = 0
    /// Where the rows are only a strip's, and the sink of strips.
    private let strips: PictureStrips?

    /// Writes into strips, which go to the sink.
    convenience init(_ strips: PictureStrips, rendering: Rendering) {
        self.init(strips.image, turn: strips.turn, rendering: rendering, strips: strips)
    }

    /// - Parameter turn: made for the picture's size in the sensor's order.
    init(_ image: borrowing OutputImage, turn: Turn, rendering: Rendering, strips: PictureStrips? = nil) {
        self.strips = strips
        writer = rendering.table.map(TableWriter.init) ?? ColourWriter(rendering)
        phase = (turn.pairPhaseX, turn.pairPhaseY)
        subsampling = image.subsampling
        width = turn.sensorSize.width
        let divisor = image.subsampling == .quarter ? 2 : 1
        let chroma = PixelSize(
            width: (width + divisor - 1) / divisor, height: (turn.sensorSize.height + divisor - 1) / divisor)
        luma = TurnedPlane(image.luma, turn: turn, sensorSize: turn.sensorSize)
        cb = TurnedPlane(image.cb, turn: turn, sensorSize: chroma)
        cr = TurnedPlane(image.cr, turn: turn, sensorSize: chroma)
        spare = .allocate(capacity: 6 * Tile.width)
    }

    deinit { spare.deallocate() }

    func take(_ tile: Tile) {
        switch subsampling {
        case .quarter: writeSquares(tile)
        case .none: writePixels(tile)
        }
        if tile.columns.upperBound == width { complete(tile) }
    }

    private func writeSquares(_ tile: Tile) {
        let row = (tile.y + phase.y) / 2
        let column = (tile.x + phase.x) / 2
        writer.writeSquares(
            tile, luma: (line(0, luma, tile, 0), line(1, luma, tile, 0)), cb: cb.row(row) + column,
            cr: cr.row(row) + column)
        settle(luma, tile, 0)
    }

    private func writePixels(_ tile: Tile) {
        for row in 0..<2 where tile.rows.contains(tile.y + row) {
            writer.write(
                tile, row: row, luma: line(row, luma, tile, 0), cb: line(row, cb, tile, 1),
                cr: line(row, cr, tile, 2))
        }
        for (index, plane) in [luma, cb, cr].enumerated() { settle(plane, tile, index) }
    }

    /// Where to write a tile's upper or lower row: in the plane, or, where some of the tile lies outside the picture,
    /// beside it.
    private func line(_ row: Int, _ plane: TurnedPlane, _ tile: Tile, _ index: Int) -> UnsafeMutablePointer<UInt8> {
        tile.isWhole ? plane.row(tile.y + row) + tile.x : spare + (2 * index + row) * Tile.width
    }

    /// Brings what was written beside a plane into it, as far as it lies inside the picture.
    private func settle(_ plane: TurnedPlane, _ tile: Tile, _ index: Int) {
        guard !tile.isWhole else { return }
        for y in tile.rows {
            let from = line(y - tile.y, plane, tile, index) + (tile.columns.lowerBound - tile.x)
            (plane.row(y) + tile.columns.lowerBound).update(from: from, count: tile.columns.count)
        }
    }

    func finish() {
        luma.flush(through: lastRow)
        cb.flush(through: lastChromaRow)
        cr.flush(through: lastChromaRow)
    }

    /// The row pair's last tile is written.
    private func complete(_ tile: Tile) {
        lastRow = tile.rows.upperBound - 1
        luma.finish(tile.rows)
        let row = (tile.y + phase.y) / 2
        let chromaRows = subsampling == .quarter ? row..<(row + 1) : tile.rows
        lastChromaRow = chromaRows.upperBound - 1
        cb.finish(chromaRows)
        cr.finish(chromaRows)
        strips?.finish(tile.rows)
    }
}
