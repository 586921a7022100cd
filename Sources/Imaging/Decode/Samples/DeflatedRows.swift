import Compression
import DecodeKernels
import TIFF
import PictureFormat
import Pixels

/// Rows of a DNG's strips and tiles, uncompressed or compressed with Deflate.
struct DeflatedRows: Hashable {
    let isDeflated: Bool
    let bits: Int
    let samplesPerPixel: Int
    let prediction: SamplePrediction
    let isLittleEndian: Bool
    let storedRows: [Int]

    /// Reads the layout; nil for unknown variants and for tiles far larger than the picture.
    init?(_ dng: DNGFacts, _ grid: DNGChunkGrid, samplesPerPixel: Int) {
        isDeflated = dng.raw.compression == TIFFCompression.deflate
        guard let size = dng.size, grid.chunkSize.pixelCount <= max(size.pixelCount, Self.smallestLimit) else {
            return nil
        }
        switch isDeflated ? dng.raw.integer(.predictor) ?? 1 : 1 {
        case 1: prediction = .none
        case 2: prediction = .differences(step: 1)
        case 34892: prediction = .differences(step: 2)
        case 34893: prediction = .differences(step: 4)
        case 3: prediction = .bytePlanes(step: 1)
        case 34894: prediction = .bytePlanes(step: 2)
        case 34895: prediction = .bytePlanes(step: 4)
        default: return nil
        }
        bits = dng.bitsPerSample
        guard prediction == .none || [8, 16, 24, 32].contains(bits) else { return nil }
        self.samplesPerPixel = samplesPerPixel
        isLittleEndian = dng.isLittleEndian
        storedRows = grid.storedRows
    }

    /// Tiles up to this many pixels are allowed for pictures of any size.
    static let smallestLimit = 1 << 22

    func rowByteCount(_ samples: Int) -> Int { (samples * bits + 7) / 8 }
}

/// `@safe`: borrowed for the call of `ChunkInflater.withRows`.
@safe struct InflatedRows {
    let bytes: UnsafeRawBufferPointer
    /// Nil if samples are not whole bytes.
    let samples: PredictedRows?
}

/// Inflates chunks into reused memory. For one thread.
final class ChunkInflater {
    private let inflater: StreamInflater
    private var buffer: [UInt8] = []

    init() throws(DecodeError) {
        do throws(CompressionError) { inflater = try StreamInflater() } catch { throw .outOfMemory }
    }

    /// Passes the rows of a chunk to `body` with their prediction undone, except byte planes. The rows are valid during
    /// the call.
    ///
    /// - Throws: `corrupt` if the chunk does not hold exactly its rows, and the errors of `body`.
    func withRows(
        _ bytes: UnsafeRawBufferPointer, _ rows: DeflatedRows, index: Int, rowSamples: Int,
        _ body: (InflatedRows) throws(DecodeError) -> Void
    ) throws(DecodeError) {
        guard rows.storedRows.indices.contains(index) else { throw .contradiction }
        let count = rows.rowByteCount(rowSamples) * rows.storedRows[index]
        // Deflate shrinks data at most by 1,032, so a short file cannot reserve much memory.
        let isPossible = (rows.isDeflated ? count / 1032 : count) <= bytes.count
        guard isPossible else { throw rows.isDeflated ? .damagedSamples : .cut }
        if buffer.count < count { buffer = [UInt8](repeating: 0, count: count) }
        let result: Result<Void, DecodeError> = unsafe buffer.withUnsafeMutableBytes { buffer in
            let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
            do throws(DecodeError) {
                try unsafe fill(target, bytes, rows)
                let predicted =
                    unsafe rows.bits % 8 == 0
                    ? PredictedRows(
                        target, rowSamples: rowSamples, rows: rows.storedRows[index], sampleBytes: rows.bits / 8,
                        samplesPerPixel: rows.samplesPerPixel, prediction: rows.prediction,
                        isLittleEndian: rows.isLittleEndian) : nil
                predicted?.restore()
                try unsafe body(InflatedRows(bytes: UnsafeRawBufferPointer(target), samples: predicted))
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    private func fill(
        _ target: UnsafeMutableRawBufferPointer, _ bytes: UnsafeRawBufferPointer, _ rows: DeflatedRows
    ) throws(DecodeError) {
        guard rows.isDeflated else {
            return unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<target.count]))
        }
        do throws(CompressionError) {
            try unsafe inflater.inflate(bytes, into: target)
        } catch .outOfMemory {
            throw .outOfMemory
        } catch {
            throw .damagedSamples
        }
    }
}
