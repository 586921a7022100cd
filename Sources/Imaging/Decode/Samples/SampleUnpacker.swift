internal import Concurrency
import DecodeKernels
import TIFF
import Pixels

/// Unpacks samples without LibRaw, which takes six times as long. `@safe`: the caller of `RawFile` keeps the bytes in
/// place while samples are unpacked.
@safe struct SampleUnpacker {
    let stored: StoredSamples
    let bytes: UnsafeRawBufferPointer

    /// Unpacks all chunks; nil if LibRaw has to decode one. The samples do not depend on the number of threads.
    ///
    /// - Throws: `corrupt`, or `unsupportedCamera` for a coding that LibRaw cannot read either.
    func unpack(threads: Int) throws(DecodeError) -> Plane<UInt16>? {
        let chunks = stored.chunks
        let reader = unsafe ByteReader(bytes, .littleEndian)
        guard !chunks.isEmpty, chunks.allSatisfy({ reader.contains($0.bytes) }) else { throw .cut }
        guard stored.width > 0, stored.height > 0 else { throw .contradiction }
        let plane = Plane<UInt16>(width: stored.width, height: stored.height, threads: max(threads, 1))
        let area = SampleArea(plane)
        let queue = ChunkQueue(count: chunks.count)
        let shares = min(max(threads, 1), chunks.count)
        let chunksAtOnce = min((chunks.count + shares - 1) / shares, ChunkWorker.maxChunks)
        // The bytes are only read, and stay valid during this call.
        nonisolated(unsafe) let bytes = unsafe bytes
        Parallel.forEach(shares) { [stored] _ in
            var worker = unsafe ChunkWorker(stored.coding, file: bytes, area: area)
            while let range = queue.next(chunksAtOnce) {
                if let failure = worker.unpack(chunks[range]) { return queue.record(failure, at: range.lowerBound) }
            }
        }
        switch queue.firstFailure {
        case nil:
            if let range = stored.range {
                guard let region = SampleRegion(range.rect, samplesPerPixel: 1, of: plane),
                    region.maximum <= range.greatest
                else { throw .damagedSamples }
            }
            return plane
        case .failed(let error): throw error
        case .unfamiliar:
            guard stored.isReadByLibRaw else { throw .unknownCoding }
            return nil
        }
    }
}
