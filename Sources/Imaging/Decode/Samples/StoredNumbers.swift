internal import Concurrency
import DecodeKernels
import TIFF
import PictureFormat
import Pixels

/// A DNG's floating-point samples, written by programs that merge exposures, and its 32-bit integers.
struct StoredNumbers {
    private let form: NumberForm
    private let coding: Coding

    private enum Coding {
        case rows(DeflatedRows)
        case pictures(PictureTiles)
    }

    private let chunks: [StoredSamples.Chunk]

    /// Reads the layout; nil for other samples and unsupported codings.
    init?(_ dng: DNGFacts, _ layout: SensorLayout) throws(DecodeError) {
        guard let form = dng.numberForm, dng.samplesPerPixel == layout.samplesPerPixel, let size = dng.size,
            let grid = try DNGChunkGrid(dng, samples: layout.samplesPerPixel)
        else { return nil }
        let samples = layout.samplesPerPixel
        if dng.raw.compression == TIFFCompression.jpegXL {
            guard let tiles = try PictureTiles(dng, grid, samplesPerPixel: samples) else { return nil }
            coding = .pictures(tiles)
        } else {
            guard let rows = DeflatedRows(dng, grid, samplesPerPixel: samples) else { return nil }
            coding = .rows(rows)
        }
        self.form = form
        chunks = grid.chunks
        self.size = (size.width * layout.samplesPerPixel, size.height)
    }

    let size: (width: Int, height: Int)

    func unpack(_ bytes: UnsafeRawBufferPointer, threads: Int) throws(DecodeError) -> Plane<Float> {
        let file = try unsafe reader(bytes)
        let plane = Plane<Float>(width: size.width, height: size.height, threads: max(threads, 1))
        try unpack(file, into: NumberArea(plane), threads: threads)
        return plane
    }

    /// Unpacks all numbers directly to samples, which is faster than through a plane of numbers; nil if a number
    /// exceeds `limit`, the largest that the scale supports.
    func samples(
        _ bytes: UnsafeRawBufferPointer, by scale: NumberScale, upTo limit: Float, threads: Int
    ) throws(DecodeError) -> Plane<UInt16>? {
        let file = try unsafe reader(bytes)
        let plane = Plane<UInt16>(width: size.width, height: size.height, threads: max(threads, 1))
        let area = ScaledArea(plane, scale: scale, limit: limit)
        try unpack(file, into: area, threads: threads)
        guard !area.isRefusing else { return nil }
        return plane
    }

    private func reader(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) -> ByteReader {
        let reader = unsafe ByteReader(bytes, .littleEndian)
        guard !chunks.isEmpty, chunks.allSatisfy({ reader.contains($0.bytes) }) else { throw .cut }
        return reader
    }

    /// Returns early if the receiver refuses numbers.
    private func unpack(
        _ file: ByteReader, into picture: any NumberReceiver, threads: Int
    ) throws(DecodeError) {
        let queue = ChunkQueue(count: chunks.count)
        // The bytes are only read, and stay valid during this call.
        nonisolated(unsafe) let reading = file
        Parallel.forEach(min(max(threads, 1), chunks.count)) { [self] _ in
            var index = 0
            do throws(DecodeError) {
                let reader = try makeChunkReader()
                while !picture.isRefusing, let range = queue.next(1) {
                    index = range.lowerBound
                    try unsafe unpack(index, reading, picture, reader)
                }
            } catch {
                queue.record(.failed(error), at: index)
            }
        }
        if !picture.isRefusing, case .failed(let error) = queue.firstFailure { throw error }
    }

    private enum ChunkReader {
        case rows(DeflatedRows, ChunkInflater)
        case pictures(PictureTileDecoder)
    }

    private func makeChunkReader() throws(DecodeError) -> ChunkReader {
        switch coding {
        case .rows(let rows): .rows(rows, try ChunkInflater())
        case .pictures(let tiles): .pictures(PictureTileDecoder(tiles))
        }
    }

    private func unpack(
        _ index: Int, _ file: ByteReader, _ picture: any NumberReceiver, _ reader: ChunkReader
    ) throws(DecodeError) {
        let chunk = chunks[index]
        guard let bytes = unsafe file.slice(chunk.bytes), let slice = chunk.slices.first else { throw .cut }
        switch reader {
        case .rows(let rows, let inflater):
            try unsafe inflater.withRows(bytes, rows, index: index, rowSamples: slice.width) {
                (rows) throws(DecodeError) in
                guard rows.samples?.write(form, to: slice, of: picture) == true else { throw .damagedSamples }
            }
        case .pictures(let pictures):
            try unsafe pictures.unpack(bytes, index: index, to: slice, of: picture)
        }
    }
}
