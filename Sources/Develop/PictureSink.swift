import Pixels

/// Renders tiles of light and writes them as 8-bit Y′CbCr where they lie in the upright picture.
final class PictureSink: TileSink {
    private let rendering: Rendering
    private let table: TableWriter?
    private let phase: (x: Int, y: Int)
    private let width: Int
    private let subsampling: ChromaSubsampling
    private let luma: TurnedPlane
    private let cb: TurnedPlane
    private let cr: TurnedPlane
    private let scratch = RowStore(rows: 6, count: Tile.width)
    private var lastRow = 0
    private var lastChromaRow = 0
    /// Where the rows are only a strip's, and the taker of strips.
    private let strips: PictureStrips?

    /// Writes into strips, which go to the taker.
    convenience init(_ strips: PictureStrips, rendering: Rendering) {
        self.init(strips.image, turn: strips.turn, rendering: rendering, strips: strips)
    }

    /// - Parameter turn: made for the picture's size in the sensor's order.
    init(_ image: borrowing OutputImage, turn: Turn, rendering: Rendering, strips: PictureStrips? = nil) {
        self.strips = strips
        self.rendering = rendering
        table = rendering.table.map(TableWriter.init)
        phase = (turn.pairPhaseX, turn.pairPhaseY)
        subsampling = image.subsampling
        width = turn.sensorSize.width
        let divisor = image.subsampling == .quarter ? 2 : 1
        let chroma = PixelSize(
            width: (width + divisor - 1) / divisor, height: (turn.sensorSize.height + divisor - 1) / divisor)
        luma = TurnedPlane(image.luma, turn: turn, sensorSize: turn.sensorSize)
        cb = TurnedPlane(image.cb, turn: turn, sensorSize: chroma)
        cr = TurnedPlane(image.cr, turn: turn, sensorSize: chroma)
    }

    func take(_ tile: Tile) {
        if let table { render(tile, by: table) } else { render(tile) }
        if tile.columns.upperBound == width { complete(tile) }
    }

    private func render(_ tile: Tile) {
        let upper = render(tile.upper, slot: 0)
        let lower = render(tile.lower, slot: 3)
        if tile.rows.contains(tile.y) { write(upper, tile.columns) }
        if tile.rows.contains(tile.y + 1) { write(lower, tile.columns) }
        if subsampling == .quarter {
            let row = (tile.y + phase.y) / 2
            let column = (tile.x + phase.x) / 2
            LumaChroma.chromaOfSquares(
                upper: upper, lower: lower, cb: cb.row(row) + column, cr: cr.row(row) + column, count: tile.count / 2)
        }
    }

    private func render(_ tile: Tile, by table: TableWriter) {
        table.locate(tile.upper, row: 0)
        table.locate(tile.lower, row: 1)
        if subsampling == .none {
            for y in tile.rows {
                let columns = (tile.columns.lowerBound - tile.x)..<(tile.columns.upperBound - tile.x)
                let x = tile.columns.lowerBound
                table.write(
                    row: y - tile.y, luma: luma.row(y) + x, cb: cb.row(y) + x, cr: cr.row(y) + x, columns: columns)
            }
            return
        }
        let row = (tile.y + phase.y) / 2
        let column = (tile.x + phase.x) / 2
        // Rows and columns outside the picture go where nobody looks.
        let isWhole = tile.rows.count == 2 && tile.columns.count == tile.count
        let spare = scratch.row(0).withMemoryRebound(to: UInt8.self, capacity: 2 * Tile.width) { $0 }
        let lines = (0..<2).map { isWhole ? luma.row(tile.y + $0) + tile.x : spare + $0 * Tile.width }
        table.writeSquares(
            upper: lines[0], lower: lines[1], cb: cb.row(row) + column, cr: cr.row(row) + column,
            count: tile.count / 2)
        if !isWhole {
            for y in tile.rows {
                let from = lines[y - tile.y] + (tile.columns.lowerBound - tile.x)
                (luma.row(y) + tile.columns.lowerBound).update(from: from, count: tile.columns.count)
            }
        }
    }

    func finish() {
        luma.flush(through: lastRow)
        cb.flush(through: lastChromaRow)
        cr.flush(through: lastChromaRow)
    }

    private func render(_ light: PixelRow, slot: Int) -> PixelRow {
        let result = PixelRow(
            red: scratch.row(slot), green: scratch.row(slot + 1), blue: scratch.row(slot + 2), count: light.count,
            x: light.x, y: light.y)
        rendering.render(light, into: result)
        return result
    }

    private func write(_ row: PixelRow, _ columns: Range<Int>) {
        let part = row.piece(from: columns.lowerBound - row.x, count: columns.count)
        LumaChroma.luma(part, into: luma.row(row.y) + columns.lowerBound)
        if subsampling == .none {
            LumaChroma.chroma(part, cb: cb.row(row.y) + columns.lowerBound, cr: cr.row(row.y) + columns.lowerBound)
        }
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
