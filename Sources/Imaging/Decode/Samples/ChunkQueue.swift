import Synchronization

enum ChunkFailure {
    case failed(DecodeError)
    /// LibRaw has to decode the chunk.
    case unfamiliar
}

/// Distributes chunks over threads and collects failures. The failure with the lowest index wins, independent of
/// timing.
final class ChunkQueue: Sendable {
    private let count: Int
    private let handedOut = Atomic(0)
    private let failure = Mutex<(index: Int, failure: ChunkFailure)?>(nil)

    init(count: Int) { self.count = count }

    /// The next chunks, at most `maxCount`; nil after the last.
    func next(_ maxCount: Int) -> Range<Int>? {
        let first = handedOut.add(maxCount, ordering: .relaxed).oldValue
        return first < count ? first..<min(first + maxCount, count) : nil
    }

    var firstFailure: ChunkFailure? { failure.withLock { $0?.failure } }

    func record(_ found: ChunkFailure, at index: Int) {
        failure.withLock { if $0.map({ index < $0.index }) ?? true { $0 = (index, found) } }
    }
}
