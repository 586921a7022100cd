import Pixels

/// Unpacks the samples of a DNG without LibRaw: uncompressed or lossless JPEG, in strips or tiles.
///
/// LibRaw reads only the first of several strips of lossless JPEG and takes tiles without compression for one strip;
/// it leaves what it did not read as it lay in memory. It is also a sixth as fast.
struct DNGUnpacker {
    let dng: DNGFacts
    let bytes: UnsafeRawBufferPointer
    private let size: PixelSize
    private let samples: Int
    /// In pixels; the last strip may be lower, tiles at the edges reach beyond the plane.
    private let chunkSize: PixelSize
    private let chunks: [Range<Int>]

    /// Nil for what is left to LibRaw.
    init?(_ dng: DNGFacts, bytes: UnsafeRawBufferPointer, layout: SensorLayout) {
        guard dng.hasPlainSamples, dng.samplesPerPixel == layout.samplesPerPixel, (dng.raw.integer(284) ?? 1) == 1,
            let size = dng.size, let chunks = dng.raw.chunks, !chunks.isEmpty
        else { return nil }
        self.dng = dng
        self.bytes = bytes
        self.size = size
        self.chunks = chunks
        samples = layout.samplesPerPixel
        if dng.raw.has(324) {
            guard let width = dng.raw.integer(322), let height = dng.raw.integer(323), (1...65_535).contains(width),
                (1...65_535).contains(height)
            else { return nil }
            chunkSize = PixelSize(width: width, height: height)
        } else {
            let rows = min(dng.raw.integer(278) ?? size.height, size.height)
            guard rows > 0 else { return nil }
            chunkSize = PixelSize(width: size.width, height: rows)
        }
    }

    /// Nil where a chunk is of a kind that is left to LibRaw.
    /// - Parameter threads: how many share the chunks; the samples do not depend on it.
    /// - Throws: `corrupt`.
    func unpack(threads: Int) throws(DecodeError) -> Plane<UInt16>? {
        let across = (size.width + chunkSize.width - 1) / chunkSize.width
        let down = (size.height + chunkSize.height - 1) / chunkSize.height
        guard chunks.count == across * down else { throw .contradiction }
        let reader = ByteReader(bytes: bytes, littleEndian: true)
        guard chunks.allSatisfy({ reader.has($0.lowerBound, $0.count) }) else { throw .cut }
        let plane = Plane<UInt16>(width: size.width * samples, height: size.height)
        let area = SampleArea(plane)
        let ends = ChunkEnds()
        let shares = min(max(threads, 1), chunks.count)
        Threads.forEach(shares) { share in
            let first = chunks.count * share / shares
            let end = chunks.count * (share + 1) / shares
            var worker = ChunkWorker(dng: dng, samplesPerRow: chunkSize.width * samples)
            // Two at once: see `LosslessJPEGDecoder`.
            for index in stride(from: first, to: end, by: 2) {
                let pair = (index..<min(index + 2, end)).map { chunk($0, across: across, in: area) }
                if let end = worker.unpack(pair) { return ends.note(end, at: index) }
            }
        }
        switch ends.first {
        case nil: return plane
        case .damaged(let error): throw error
        case .unfamiliar:
            guard isReadByLibRaw else { throw .unsupported("The samples are stored in a way that is not known.") }
            return nil
        }
    }

    private func chunk(_ index: Int, across: Int, in area: SampleArea) -> Chunk {
        let y = index / across * chunkSize.height
        return Chunk(
            bytes: UnsafeRawBufferPointer(rebasing: bytes[chunks[index]]), area: area,
            x: index % across * chunkSize.width * samples, y: y, height: min(chunkSize.height, size.height - y))
    }

    /// LibRaw reads one strip, or tiles if there are several and no two of them make up a row: it would take two
    /// components for one.
    private var isReadByLibRaw: Bool {
        dng.raw.has(324)
            ? chunks.count > 1 && chunkSize.width <= size.width && chunkSize.width * 2 != size.width
            : chunks.count == 1
    }
}
