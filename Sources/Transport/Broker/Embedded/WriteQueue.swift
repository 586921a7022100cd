internal import Clock

/// Writes that wait for the next transaction, so that they share one `fsync`. Each has a waiting task, so their number
/// is bounded.
struct WriteQueue {
    enum Change: Sendable {
        case append([Record], to: Topic)
        case commit([TopicPartition: Int64], group: String)
        case remove(TopicPartition, before: Int64)
    }

    struct Write {
        let change: Change
        let continuation: CheckedContinuation<[Position], any Error>
    }

    /// The size limit of a transaction, because the next write waits for it. A larger write gets its own transaction.
    private static let maxBatchBytes = 16 << 20
    private var pending: [Write] = []

    /// Returns true if the queue was empty: the caller then starts the next transaction.
    mutating func add(_ change: Change, _ continuation: CheckedContinuation<[Position], any Error>) -> Bool {
        pending.append(Write(change: change, continuation: continuation))
        return pending.count == 1
    }

    mutating func next() -> [Write]? {
        guard !pending.isEmpty else { return nil }
        var bytes = 0
        let end = pending.firstIndex {
            bytes += $0.change.bytes
            return bytes > Self.maxBatchBytes
        }
        let count = max(1, end ?? pending.count)
        defer { pending.removeFirst(count) }
        return Array(pending.prefix(count))
    }
}

extension WriteQueue.Change {
    var bytes: Int {
        switch self {
        case .append(let records, _): records.reduce(0) { $0 + $1.sizeBytes + 32 }
        case .commit(let offsets, _): 64 * offsets.count
        case .remove: 64
        }
    }

    var appendsTo: String? {
        if case .append(_, let topic) = self { topic.name } else { nil }
    }

    /// Performs the change inside a transaction, and returns the positions of appended records.
    func perform(on store: BrokerStore) throws -> [Position] {
        switch self {
        case .append(let records, let topic):
            return try store.append(records, to: topic, atMilliseconds: WallClock.milliseconds)
        case .commit(let offsets, let group):
            try store.commit(offsets, group: group)
            for partition in offsets.keys { try store.trim(partition) }
            return []
        case .remove(let partition, let offset):
            try store.remove(partition, before: offset)
            return []
        }
    }
}
