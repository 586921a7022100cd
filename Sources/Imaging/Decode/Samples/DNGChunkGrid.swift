import DecodeKernels
import TIFF
import PictureFormat
import Pixels

/// Position of a DNG's strips or tiles in the file and in the plane.
struct DNGChunkGrid {
    /// In pixels. The last strip may be shorter; tiles at the edges may exceed the plane.
    let chunkSize: PixelSize
    let chunks: [StoredSamples.Chunk]
    /// Stored rows of each chunk, which may exceed the plane.
    let storedRows: [Int]

    /// Reads the layout; nil if it is missing or colours are in separate planes.
    ///
    /// - Throws: `corrupt` for a wrong number of chunks.
    init?(_ dng: DNGFacts, samples: Int) throws(DecodeError) {
        guard (dng.raw.integer(.planarConfiguration) ?? 1) == 1, let size = dng.size, let places = dng.raw.chunks,
            let chunkSize = dng.chunkSize
        else { return nil }
        let across = (size.width + chunkSize.width - 1) / chunkSize.width
        let down = (size.height + chunkSize.height - 1) / chunkSize.height
        guard places.count == across * down else { throw .contradiction }
        self.chunkSize = chunkSize
        chunks = places.enumerated().map { index, bytes in
            let y = index / across * chunkSize.height
            let slice = PlaneSlice(
                x: index % across * chunkSize.width * samples, y: y, width: chunkSize.width * samples,
                height: min(chunkSize.height, size.height - y))
            return StoredSamples.Chunk(bytes: bytes, slices: [slice])
        }
        let isTiled = dng.raw.has(.tileOffsets)
        storedRows = chunks.map { isTiled ? chunkSize.height : $0.slices[0].height }
    }
}

extension DNGFacts {
    fileprivate var chunkSize: PixelSize? {
        guard let size else { return nil }
        if raw.has(.tileOffsets) {
            let edges = 1...65_535
            guard let width = raw.integer(.tileWidth), let height = raw.integer(.tileLength), edges.contains(width),
                edges.contains(height)
            else { return nil }
            return PixelSize(width: width, height: height)
        }
        let rows = min(raw.integer(.rowsPerStrip) ?? size.height, size.height)
        return rows > 0 ? PixelSize(width: size.width, height: rows) : nil
    }
}
