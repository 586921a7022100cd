internal import Clock

/// Writes that wait for the next transaction: one `fsync` serves all of them. Each has a task that waits for it, so
/// there are never more than tasks.
struct WriteQueue {
    enum Change: Sendable {
        case append([Record], to: Topic)
        case commit([TopicPartition: Int64], group: String)
    }

    struct Write {
        let change: Change
        let done: CheckedContinuation<[Position], any Error>
    }

    /// Most bytes of a transaction: its length is what the next write waits for. A larger write goes alone.
    private static let batchBytes = 16 << 20
    private var pending: [Write] = []

    /// Answers true for the first of a batch: somebody has to see to it.
    mutating func add(_ change: Change, _ done: CheckedContinuation<[Position], any Error>) -> Bool {
        pending.append(Write(change: change, done: done))
        return pending.count == 1
    }

    /// The writes of the next transaction, in the order they came; nil for none.
    mutating func next() -> [Write]? {
        guard !pending.isEmpty else { return nil }
        var bytes = 0
        let end = pending.firstIndex {
            bytes += $0.change.bytes
            return bytes > Self.batchBytes
        }
        let count = max(1, end ?? pending.count)
        defer { pending.removeFirst(count) }
        return Array(pending.prefix(count))
    }
}

extension WriteQueue.Change {
    /// About what it adds to the file.
    var bytes: Int {
        switch self {
        case .append(let records, _): records.reduce(0) { $0 + $1.sizeBytes + 32 }
        case .commit(let offsets, _): 64 * offsets.count
        }
    }

    var appendsTo: String? {
        if case .append(_, let topic) = self { topic.name } else { nil }
    }

    /// Inside a transaction. Answers an append's positions.
    func perform(on store: BrokerStore) throws -> [Position] {
        switch self {
        case .append(let records, let topic):
            return try store.append(records, to: topic, atMilliseconds: WallClock.milliseconds)
        case .commit(let offsets, let group):
            try store.commit(offsets, group: group)
            for partition in offsets.keys { try store.trim(partition) }
            return []
        }
    }
}
