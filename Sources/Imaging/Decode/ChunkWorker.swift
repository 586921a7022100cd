import PictureFormat
import Pixels

/// Unpacks chunk after chunk with the same buffers.
struct ChunkWorker: ~Copyable {
    private let coding: StoredSamples.Coding
    private var decoder: LosslessJPEGDecoder
    /// Chunks that are worth unpacking at once.
    static let most = LosslessJPEGDecoder.scansInStep

    init(_ coding: StoredSamples.Coding) {
        self.coding = coding
        decoder = LosslessJPEGDecoder(sixteenHasBits: coding == .losslessJPEG(sixteenHasBits: true))
    }

    /// At most `most` chunks.
    /// - Returns: nil when all is done.
    mutating func unpack(_ chunks: [Chunk]) -> ChunkEnd? {
        defer { StreamingStores.fence() }
        do throws(DecodeError) {
            switch coding {
            case .losslessJPEG: return try unpackLossless(chunks) ? nil : .unfamiliar
            case .plain(let bits, let littleEndian):
                for chunk in chunks { try unpackPlain(chunk, bits, littleEndian) }
                return nil
            }
        } catch {
            return .damaged(error)
        }
    }

    private func unpackPlain(_ chunk: Chunk, _ bits: Int, _ littleEndian: Bool) throws(DecodeError) {
        var place = 0
        for slice in chunk.slices {
            let rowBytes = (slice.width * bits + 7) / 8
            let count = chunk.visible(slice.width, slice.x)
            guard chunk.bytes.count - place >= rowBytes * slice.height else { throw .cut }
            for y in slice.y..<slice.y + slice.height {
                let row = UnsafeRawBufferPointer(rebasing: chunk.bytes[place..<place + rowBytes])
                let target = chunk.area.row(y) + slice.x
                if bits == 16 {
                    copyWords(row, to: target, count: count, littleEndian: littleEndian)
                } else {
                    unpackBits(row, bits: bits, to: target, count: count)
                }
                place += rowBytes
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
        guard decoder.decode(scans) else { throw .damagedSamples }
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

    private func scan(
        _ chunk: Chunk, _ header: LosslessJPEGHeader, slot: Int
    ) throws(DecodeError) -> LosslessScan {
        let samples = header.samplesPerRow * header.height
        guard samples <= 1 << 29, samples >= chunk.sampleCount else { throw .damagedSamples }
        return LosslessScan(chunk, header: header, twoRows: decoder.twoRows(of: header, slot: slot))
    }
}

extension DecodeError {
    static let damagedSamples = DecodeError.corrupt("The samples in the file are damaged.")
}
