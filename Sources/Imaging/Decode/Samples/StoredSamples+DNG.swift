import DecodeKernels
import Metadata
import PictureFormat
import Pixels

extension StoredSamples {
    /// A DNG's strips or tiles, uncompressed or lossless JPEG. Nil for what is left to LibRaw.
    ///
    /// LibRaw reads only the first of several strips of lossless JPEG and takes tiles without compression for one strip.
    /// It leaves what it did not read as it lay in memory.
    ///
    /// - Throws: `corrupt`.
    init?(_ dng: DNGFacts, _ layout: SensorLayout) throws(DecodeError) {
        guard dng.hasPlainSamples, dng.samplesPerPixel == layout.samplesPerPixel,
            (dng.raw.integer(.planarConfiguration) ?? 1) == 1, let size = dng.size, let chunks = dng.raw.chunks,
            let chunkSize = dng.chunkSize
        else { return nil }
        let across = (size.width + chunkSize.width - 1) / chunkSize.width
        let down = (size.height + chunkSize.height - 1) / chunkSize.height
        guard chunks.count == across * down else { throw .contradiction }
        let samples = layout.samplesPerPixel
        width = size.width * samples
        height = size.height
        coding =
            dng.raw.compression == TIFFCompression.jpeg
            ? .losslessJPEG(sixteenHasBits: dng.version < 0x0101_0000)
            : .plain(bits: dng.bitsPerSample, isLittleEndian: dng.isLittleEndian)
        self.chunks = chunks.enumerated().map { index, bytes in
            let y = index / across * chunkSize.height
            let slice = PlaneSlice(
                x: index % across * chunkSize.width * samples, y: y, width: chunkSize.width * samples,
                height: min(chunkSize.height, size.height - y))
            return Chunk(bytes: bytes, slices: [slice])
        }
        // LibRaw reads one strip, or tiles if there are several and no two of them make up a row: it would take two
        // components for one.
        isReadByLibRaw =
            dng.raw.has(.tileOffsets)
            ? chunks.count > 1 && chunkSize.width <= size.width && chunkSize.width * 2 != size.width
            : chunks.count == 1
    }
}

extension DNGFacts {
    /// In pixels. The last strip may be lower, and tiles at the edges reach beyond the plane.
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
