import PictureFormat
import Pixels

extension StoredSamples {
    /// A DNG's strips or tiles, uncompressed or lossless JPEG. Nil for what is left to LibRaw.
    ///
    /// LibRaw reads only the first of several strips of lossless JPEG and takes tiles without compression for one
    /// strip; it leaves what it did not read as it lay in memory.
    init?(_ dng: DNGFacts, _ layout: SensorLayout) throws(DecodeError) {
        guard dng.hasPlainSamples, dng.samplesPerPixel == layout.samplesPerPixel, (dng.raw.integer(284) ?? 1) == 1,
            let size = dng.size, let chunks = dng.raw.chunks, let chunkSize = dng.chunkSize
        else { return nil }
        let across = (size.width + chunkSize.width - 1) / chunkSize.width
        let down = (size.height + chunkSize.height - 1) / chunkSize.height
        guard chunks.count == across * down else { throw .contradiction }
        let samples = layout.samplesPerPixel
        width = size.width * samples
        height = size.height
        coding =
            dng.compression == 7
            ? .losslessJPEG(sixteenHasBits: dng.version < 0x0101_0000)
            : .plain(bits: dng.bitsPerSample, littleEndian: dng.isLittleEndian)
        runs = chunks.enumerated().map { index, bytes in
            let y = index / across * chunkSize.height
            let slice = Slice(
                x: index % across * chunkSize.width * samples, y: y, width: chunkSize.width * samples,
                height: min(chunkSize.height, size.height - y))
            return Run(bytes: bytes, slices: [slice])
        }
        // LibRaw reads one strip, or tiles if there are several and no two of them make up a row: it would take two
        // components for one.
        isReadByLibRaw =
            dng.raw.has(324)
            ? chunks.count > 1 && chunkSize.width <= size.width && chunkSize.width * 2 != size.width
            : chunks.count == 1
    }
}

extension DNGFacts {
    /// In pixels; the last strip may be lower, tiles at the edges reach beyond the plane.
    fileprivate var chunkSize: PixelSize? {
        guard let size else { return nil }
        if raw.has(324) {
            guard let width = raw.integer(322), let height = raw.integer(323), (1...65_535).contains(width),
                (1...65_535).contains(height)
            else { return nil }
            return PixelSize(width: width, height: height)
        }
        let rows = min(raw.integer(278) ?? size.height, size.height)
        return rows > 0 ? PixelSize(width: size.width, height: rows) : nil
    }
}
