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
        open[position.partition]?.remove(position.offset)
        finished.updateValue(job, forKey: position)
    }

    /// What a commit that begins now will cover.
    var covered: [Position: Job?] {
        let first = open.compactMapValues { $0.min() }
        return finished.filter { entry in first[entry.key.partition].map { entry.key.offset < $0 } ?? true }
    }

    /// The commit is durable.
    mutating func remove(_ covered: [Position: Job?]) {
        for position in covered.keys { finished.removeValue(forKey: position) }
    }
}
