internal import Broker
internal import Jobs

/// Which deliveries are open, and which of the finished ones a commit covers: those before every open one of their
/// partition, because only the contiguous prefix is committed.
struct DeliveryLedger: Sendable {
    private var open: [TopicPartition: Set<Int64>] = [:]
    /// Nil for a record that was no job.
    private var finished: [Position: Job?] = [:]

    mutating func delivered(_ position: Position) {
        open[position.partition, default: []].insert(position.offset)
    }

    mutating func finished(_ position: Position, _ job: Job?) {
        guard open[position.partition]?.remove(position.offset) != nil else { return }
        finished.updateValue(job, forKey: position)
    }

    /// The partitions are another worker's. Whether the last commit reached them is not known here, so that no commit
    /// covers what was finished in them: its notes stay, and whoever has it delivered again sees that it has ended.
    mutating func left(_ partitions: Set<TopicPartition>) {
        for partition in partitions { open[partition] = nil }
        finished = finished.filter { !partitions.contains($0.key.partition) }
    }

    /// What a commit that begins now will cover.
    var covered: [Position: Job?] {
        let first = open.compactMapValues { $0.min() }
        return finished.filter { entry in first[entry.key.partition].map { entry.key.offset < $0 } ?? true }
    }

    /// The commit is durable. Answers what it covered of partitions that did not go meanwhile.
    mutating func remove(_ covered: [Position: Job?]) -> [Position: Job?] {
        covered.filter { finished.removeValue(forKey: $0.key) != nil }
    }
}
