import DecodeKernels
import TIFF
import PictureFormat
import Pixels

extension StoredSamples {
    /// A DNG's strips or tiles: uncompressed, lossless JPEG, Deflate, JPEG XL or lossy JPEG. Nil if LibRaw has to
    /// decode them.
    ///
    /// LibRaw reads only the first of several lossless-JPEG strips and treats uncompressed tiles as one strip. The rest
    /// of its memory stays uninitialized.
    init?(_ dng: DNGFacts, _ layout: SensorLayout) throws(DecodeError) {
        guard dng.hasPlainSamples || dng.hasLibRawCurves, dng.samplesPerPixel == layout.samplesPerPixel,
            let size = dng.size,
            let grid = try DNGChunkGrid(dng, samples: layout.samplesPerPixel)
        else { return nil }
        width = size.width * layout.samplesPerPixel
        height = size.height
        chunks = grid.chunks
        switch dng.raw.compression {
        case TIFFCompression.jpeg: coding = .losslessJPEG(sixteenHasBits: dng.version < 0x0101_0000)
        case TIFFCompression.deflate:
            guard let rows = DeflatedRows(dng, grid, samplesPerPixel: layout.samplesPerPixel) else { return nil }
            coding = .deflated(rows)
        case TIFFCompression.jpegXL, TIFFCompression.lossyJPEG:
            guard let tiles = try PictureTiles(dng, grid, samplesPerPixel: layout.samplesPerPixel) else { return nil }
            coding = .pictures(tiles)
        default: coding = .plain(bits: dng.bitsPerSample, isLittleEndian: dng.isLittleEndian)
        }
        // LibRaw reads one strip, or tiles if no two of them form a row: it would take two components for one.
        let tile = grid.chunkSize
        isReadByLibRaw =
            dng.raw.has(.tileOffsets)
            ? chunks.count > 1 && tile.width <= size.width && tile.width * 2 != size.width : chunks.count == 1
    }
}
