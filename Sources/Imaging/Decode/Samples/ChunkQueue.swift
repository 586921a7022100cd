import Synchronization

/// Why a chunk could not be unpacked.
enum ChunkFailure {
    case failed(DecodeError)
    /// Of a kind that is left to LibRaw.
    case unfamiliar
}

/// Hands chunks out to several threads, some at a time, and collects their failures. The first chunk's failure counts,
/// whichever thread was faster.
final class ChunkQueue: Sendable {
    private let count: Int
    private let handedOut = Atomic(0)
    private let failure = Mutex<(index: Int, failure: ChunkFailure)?>(nil)

    init(count: Int) { self.count = count }

    /// The next chunks, at most `maxCount`; nil when all are handed out.
    func next(_ maxCount: Int) -> Range<Int>? {
        let first = handedOut.add(maxCount, ordering: .relaxed).oldValue
        return first < count ? first..<min(first + maxCount, count) : nil
    }

    var firstFailure: ChunkFailure? { failure.withLock { $0?.failure } }

    func record(_ found: ChunkFailure, at index: Int) {
        failure.withLock { if $0.map({ index < $0.index }) ?? true { $0 = (index, found) } }
    }
}
