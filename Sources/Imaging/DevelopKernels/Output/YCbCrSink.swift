package import PictureFormat
package import Pixels

/// Renders tiles of light and writes them as 8-bit Y′CbCr into the upright picture. The initializers prove that the
/// planes have the picture's size.
package final class YCbCrSink: SizedTileSink {
    package let size: PixelSize
    private let writer: any TileWriter
    private let lead: TileLead
    private let subsampling: ChromaSubsampling
    private let luma: OrientedPlaneWriter
    private let cb: OrientedPlaneWriter
    private let cr: OrientedPlaneWriter
    /// Two tile rows for each plane.
    private let spare: UnsafeMutablePointer<UInt8>
    private var lastRow = 0
    private var lastChromaRow = 0
    /// Passes on strips; nil if the image is the whole picture.
    private let strips: StripBuffer?

    /// Writes into a whole picture, which must outlive the sink. Proves that the picture has the transform's size: nil
    /// otherwise.
    package convenience init?(
        _ image: borrowing OutputImage, transform: OrientationTransform, rendering: Rendering
    ) {
        guard image.size == transform.uprightSize else { return nil }
        self.init(image, transform, rendering, strips: nil)
    }

    /// Writes into strips. Proves that axes are not swapped, and that the buffer has the height of a strip of the
    /// picture: nil otherwise.
    package convenience init?(_ strips: StripBuffer, transform: OrientationTransform, rendering: Rendering) {
        let height = min(PictureStrip.rows, transform.sensorSize.height)
        guard !transform.swapsAxes, strips.image.size.height == height else { return nil }
        self.init(strips.image, transform, rendering, strips: strips)
    }

    private init?(
        _ image: borrowing OutputImage, _ transform: OrientationTransform, _ rendering: Rendering, strips: StripBuffer?
    ) {
        let size = transform.sensorSize
        let divisor = image.subsampling == .quarter ? 2 : 1
        let chroma = PixelSize(
            width: (size.width + divisor - 1) / divisor, height: (size.height + divisor - 1) / divisor)
        guard let luma = OrientedPlaneWriter(image.luma, transform: transform, sensorSize: size),
            let cb = OrientedPlaneWriter(image.cb, transform: transform, sensorSize: chroma),
            let cr = OrientedPlaneWriter(image.cr, transform: transform, sensorSize: chroma)
        else { return nil }
        self.size = size
        self.strips = strips
        self.luma = luma
        self.cb = cb
        self.cr = cr
        let writer: any TileWriter = rendering.lut.map { LUTTileWriter($0) } ?? GenericTileWriter(rendering)
        self.writer = rendering.shade.map { ShadedTileWriter(writer, $0) } ?? writer
        lead = transform.tileLead
        subsampling = image.subsampling
        spare = .allocate(capacity: 6 * Tile.width)
    }

    deinit { spare.deallocate() }

    package func take(_ tile: Tile) {
        switch subsampling {
        case .quarter: writeSquares(tile)
        case .none: writePixels(tile)
        }
        if tile.columns.upperBound == size.width { finishRows(of: tile) }
    }

    private func writeSquares(_ tile: Tile) {
        let row = (tile.y + lead.y) / 2
        let column = (tile.x + lead.x) / 2
        writer.writeSquares(
            tile, luma: (line(0, luma, tile, 0), line(1, luma, tile, 0)), cb: cb.row(row) + column,
            cr: cr.row(row) + column)
        copySpare(to: luma, tile, 0)
    }

    private func writePixels(_ tile: Tile) {
        for row in 0..<2 where tile.rows.contains(tile.y + row) {
            writer.write(
                tile, row: row, luma: line(row, luma, tile, 0), cb: line(row, cb, tile, 1),
                cr: line(row, cr, tile, 2))
        }
        for (index, plane) in [luma, cb, cr].enumerated() { copySpare(to: plane, tile, index) }
    }

    /// The buffer for a tile's upper or lower row: the plane, or spare rows if some of the tile lies outside the
    /// picture.
    private func line(
        _ row: Int, _ plane: OrientedPlaneWriter, _ tile: Tile, _ index: Int
    ) -> UnsafeMutablePointer<UInt8> {
        tile.isWhole ? plane.row(tile.y + row) + tile.x : spare + (2 * index + row) * Tile.width
    }

    private func copySpare(to plane: OrientedPlaneWriter, _ tile: Tile, _ index: Int) {
        guard !tile.isWhole else { return }
        for y in tile.rows {
            let from = line(y - tile.y, plane, tile, index) + (tile.columns.lowerBound - tile.x)
            (plane.row(y) + tile.columns.lowerBound).update(from: from, count: tile.columns.count)
        }
    }

    package func finish() {
        luma.flush(through: lastRow)
        cb.flush(through: lastChromaRow)
        cr.flush(through: lastChromaRow)
    }

    /// Call it after the last tile of a row pair.
    private func finishRows(of tile: Tile) {
        lastRow = tile.rows.upperBound - 1
        luma.finish(tile.rows)
        let row = (tile.y + lead.y) / 2
        let chromaRows = subsampling == .quarter ? row..<(row + 1) : tile.rows
        lastChromaRow = chromaRows.upperBound - 1
        cb.finish(chromaRows)
        cr.finish(chromaRows)
        strips?.finish(tile.rows)
    }
}
