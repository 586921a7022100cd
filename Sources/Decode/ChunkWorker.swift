import Pixels

/// Unpacks chunk after chunk with the same buffers.
struct ChunkWorker: ~Copyable {
    private let compression: Int
    private let bits: Int
    private let littleEndian: Bool
    private let samplesPerRow: Int
    private var decoder: LosslessJPEGDecoder
    /// Chunks' samples where they cannot go straight to the plane.
    private var scratch: [[UInt16]] = [[], []]

    init(dng: DNGFacts, samplesPerRow: Int) {
        compression = dng.compression
        bits = dng.bitsPerSample
        littleEndian = dng.isLittleEndian
        self.samplesPerRow = samplesPerRow
        decoder = LosslessJPEGDecoder(sixteenHasBits: dng.version < 0x0101_0000)
    }

    /// One or two chunks.
    /// - Returns: nil when all is done.
    mutating func unpack(_ chunks: [Chunk]) -> ChunkEnd? {
        do throws(DecodeError) {
            if compression == 7 { return try unpackLossless(chunks) ? nil : .unfamiliar }
            for chunk in chunks { try unpackPlain(chunk) }
            return nil
        } catch {
            return .damaged(error)
        }
    }

    private func unpackPlain(_ chunk: Chunk) throws(DecodeError) {
        let rowBytes = (samplesPerRow * bits + 7) / 8
        guard chunk.bytes.count >= rowBytes * chunk.height else { throw .cut }
        let count = chunk.visible(of: samplesPerRow)
        for y in 0..<chunk.height {
            let row = UnsafeRawBufferPointer(rebasing: chunk.bytes[y * rowBytes..<(y + 1) * rowBytes])
            if bits == 16 {
                copyWords(row, to: chunk.row(y), count: count, littleEndian: littleEndian)
            } else {
                unpackBits(row, bits: bits, to: chunk.row(y), count: count)
            }
        }
    }

    /// False for what is left to LibRaw.
    private mutating func unpackLossless(_ chunks: [Chunk]) throws(DecodeError) -> Bool {
        var scans: [LosslessScan] = []
        for (slot, chunk) in chunks.enumerated() {
            guard let header = try header(chunk) else { return false }
            scans.append(try scan(chunk, header, slot: slot))
        }
        let isPair =
            scans.count == 2 && scans.allSatisfy(\.isUsual) && scans[0].header.width == scans[1].header.width
            && scans[0].header.height == scans[1].header.height
        let done = isPair ? decoder.decode(scans[0], scans[1]) : decodeEach(scans)
        guard done else { throw .damagedSamples }
        for (slot, chunk) in chunks.enumerated() where !isStraight(chunk, scans[slot].header) { copy(slot, to: chunk) }
        return true
    }

    private mutating func decodeEach(_ scans: [LosslessScan]) -> Bool {
        for scan in scans {
            guard decoder.decode(scan) else { return false }
        }
        return true
    }

    /// Nil for what is left to LibRaw.
    private func header(_ chunk: Chunk) throws(DecodeError) -> LosslessJPEGHeader? {
        do throws(LosslessJPEGHeader.Failure) {
            return try LosslessJPEGHeader(chunk.bytes)
        } catch .unfamiliar {
            return nil
        } catch .notLossless {
            throw .unsupported("The samples are stored in a way that is not known.")
        } catch {
            throw .damagedSamples
        }
    }

    private mutating func scan(
        _ chunk: Chunk, _ header: LosslessJPEGHeader, slot: Int
    ) throws(DecodeError) -> LosslessScan {
        let needed = header.samplesPerRow * header.height
        guard needed <= 1 << 28, needed >= samplesPerRow * chunk.height else { throw .damagedSamples }
        if isStraight(chunk, header) {
            return LosslessScan(
                bytes: chunk.bytes, header: header, target: chunk.row(0), strideSamples: chunk.area.strideSamples)
        }
        if scratch[slot].count < needed { scratch[slot] = [UInt16](repeating: 0, count: needed) }
        // The array is this worker's own, and stays as it is until `copy` has read it.
        let start = scratch[slot].withUnsafeMutableBufferPointer { $0.baseAddress }
        guard let start else { throw .damagedSamples }
        return LosslessScan(
            bytes: chunk.bytes, header: header, target: start, strideSamples: header.samplesPerRow)
    }

    /// Whether the JPEG's rows are rows of the plane.
    private func isStraight(_ chunk: Chunk, _ header: LosslessJPEGHeader) -> Bool {
        header.samplesPerRow == samplesPerRow && chunk.visible(of: samplesPerRow) == samplesPerRow
            && header.height <= chunk.height
    }

    /// The JPEG's rows need not be the chunk's: its samples, one after the other, fill the chunk.
    private func copy(_ slot: Int, to chunk: Chunk) {
        scratch[slot].withUnsafeBufferPointer { samples in
            guard let start = samples.baseAddress else { return }
            for y in 0..<chunk.height {
                chunk.row(y).update(from: start + y * samplesPerRow, count: chunk.visible(of: samplesPerRow))
            }
        }
    }
}

extension DecodeError {
    static let damagedSamples = DecodeError.corrupt("The samples in the file are damaged.")
}
