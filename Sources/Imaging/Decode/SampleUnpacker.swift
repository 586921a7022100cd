internal import Concurrency
import PictureFormat
import Pixels

/// Unpacks samples without LibRaw, which takes six times as long.
struct SampleUnpacker {
    let stored: StoredSamples
    let bytes: UnsafeRawBufferPointer

    /// Nil where a chunk is of a kind that is left to LibRaw.
    /// - Parameter threads: how many share the chunks; the samples do not depend on it.
    /// - Throws: `corrupt`.
    func unpack(threads: Int) throws(DecodeError) -> Plane<UInt16>? {
        let reader = ByteReader(bytes: bytes, littleEndian: true)
        let runs = stored.runs
        guard !runs.isEmpty, runs.allSatisfy({ reader.has($0.bytes.lowerBound, $0.bytes.count) }) else { throw .cut }
        let plane = Plane<UInt16>(width: stored.width, height: stored.height, threads: max(threads, 1))
        let area = SampleArea(plane)
        let queue = ChunkQueue(count: runs.count)
        let shares = min(max(threads, 1), runs.count)
        let most = min((runs.count + shares - 1) / shares, ChunkWorker.most)
        // The file's bytes are only read, and stay valid during this call.
        nonisolated(unsafe) let bytes = bytes
        Parallel.forEach(shares) { [stored] _ in
            var worker = ChunkWorker(stored.coding)
            while let some = queue.next(most) {
                let end = worker.unpack(runs[some].map { Chunk($0, of: bytes, in: area) })
                if let end { return queue.note(end, at: some.lowerBound) }
            }
        }
        switch queue.firstEnd {
        case nil: return plane
        case .damaged(let error): throw error
        case .unfamiliar:
            guard stored.isReadByLibRaw else {
                throw .unsupported("The samples are stored in a way that is not known.")
            }
            return nil
        }
    }
}
