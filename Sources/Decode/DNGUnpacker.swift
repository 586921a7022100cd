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
    /// - Throws: `corrupt`.
    func unpack() throws(DecodeError) -> Plane<UInt16>? {
        let across = (size.width + chunkSize.width - 1) / chunkSize.width
        let down = (size.height + chunkSize.height - 1) / chunkSize.height
        guard chunks.count == across * down else { throw .contradiction }
        let reader = ByteReader(bytes: bytes, littleEndian: true)
        guard chunks.prefix(across * down).allSatisfy({ reader.has($0.lowerBound, $0.count) }) else { throw .cut }
        let plane = Plane<UInt16>(width: size.width * samples, height: size.height)
        var worker = ChunkWorker(dng: dng, samplesPerRow: chunkSize.width * samples)
        for index in 0..<across * down {
            let x = index % across * chunkSize.width * samples
            let y = index / across * chunkSize.height
            let chunk = UnsafeRawBufferPointer(rebasing: bytes[chunks[index]])
            let target = ChunkTarget(
                x: x, y: y, height: min(chunkSize.height, size.height - y), chunkHeight: chunkSize.height)
            guard try worker.unpack(chunk, to: target, of: plane) else {
                guard isReadByLibRaw else { throw .unsupported("The samples are stored in a way that is not known.") }
                return nil
            }
        }
        return plane
    }

    /// LibRaw reads one strip, or tiles if there are several and no two of them make up a row: it would take two
    /// components for one.
    private var isReadByLibRaw: Bool {
        dng.raw.has(324)
            ? chunks.count > 1 && chunkSize.width <= size.width && chunkSize.width * 2 != size.width
            : chunks.count == 1
    }
}

/// Where a chunk goes in the plane, in samples and rows.
struct ChunkTarget {
    let x: Int
    let y: Int
    /// Rows inside the plane, and rows of the chunk.
    let height: Int
    let chunkHeight: Int
}

/// Unpacks chunk after chunk with the same buffers.
struct ChunkWorker: ~Copyable {
    private let compression: Int
    private let bits: Int
    private let littleEndian: Bool
    private let samplesPerRow: Int
    private var decoder: LosslessJPEGDecoder
    /// A chunk's samples where they cannot go straight to the plane.
    private var scratch: [UInt16] = []

    init(dng: DNGFacts, samplesPerRow: Int) {
        compression = dng.compression
        bits = dng.bitsPerSample
        littleEndian = dng.isLittleEndian
        self.samplesPerRow = samplesPerRow
        decoder = LosslessJPEGDecoder(sixteenHasBits: dng.version < 0x0101_0000)
    }

    /// False for what is left to LibRaw.
    mutating func unpack(
        _ chunk: UnsafeRawBufferPointer, to target: ChunkTarget, of plane: borrowing Plane<UInt16>
    ) throws(DecodeError) -> Bool {
        guard compression == 7 else {
            try unpackPlain(chunk, to: target, of: plane)
            return true
        }
        let header: LosslessJPEGHeader
        do throws(LosslessJPEGHeader.Failure) {
            header = try LosslessJPEGHeader(chunk)
        } catch .unfamiliar {
            return false
        } catch .notLossless {
            throw .unsupported("The samples are stored in a way that is not known.")
        } catch {
            throw .corrupt("The samples in the file are damaged.")
        }
        try unpackLossless(chunk, header, to: target, of: plane)
        return true
    }

    private func unpackPlain(
        _ chunk: UnsafeRawBufferPointer, to target: ChunkTarget, of plane: borrowing Plane<UInt16>
    ) throws(DecodeError) {
        let rowBytes = (samplesPerRow * bits + 7) / 8
        guard chunk.count >= rowBytes * target.height else { throw .cut }
        let count = min(samplesPerRow, plane.width - target.x)
        for y in 0..<target.height {
            let row = UnsafeRawBufferPointer(rebasing: chunk[y * rowBytes..<(y + 1) * rowBytes])
            let samples = plane.row(target.y + y) + target.x
            if bits == 16 {
                copyWords(row, to: samples, count: count, littleEndian: littleEndian)
            } else {
                unpackBits(row, bits: bits, to: samples, count: count)
            }
        }
    }

    private mutating func unpackLossless(
        _ chunk: UnsafeRawBufferPointer, _ header: LosslessJPEGHeader, to target: ChunkTarget,
        of plane: borrowing Plane<UInt16>
    ) throws(DecodeError) {
        let damaged = DecodeError.corrupt("The samples in the file are damaged.")
        guard header.samplesPerRow * header.height <= 1 << 28,
            header.samplesPerRow * header.height >= samplesPerRow * target.height
        else { throw damaged }
        let isStraight =
            header.samplesPerRow == samplesPerRow && target.x + samplesPerRow <= plane.width
            && header.height <= target.height
        if isStraight {
            let done = decoder.decode(chunk, header) { plane.row(target.y + $0) + target.x }
            guard done else { throw damaged }
            return
        }
        // The JPEG's rows need not be the chunk's: its samples, one after the other, fill the chunk.
        let needed = header.samplesPerRow * header.height
        if scratch.count < needed { scratch = [UInt16](repeating: 0, count: needed) }
        let perRow = samplesPerRow
        let done = scratch.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return false }
            guard decoder.decode(chunk, header, row: { start + $0 * header.samplesPerRow }) else { return false }
            let count = min(perRow, plane.width - target.x)
            for y in 0..<target.height {
                (plane.row(target.y + y) + target.x).update(from: start + y * perRow, count: count)
            }
            return true
        }
        guard done else { throw damaged }
    }
}
