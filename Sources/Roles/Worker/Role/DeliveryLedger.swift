internal import Broker
internal import Jobs

/// Finished deliveries that the broker may still deliver again, because no commit is known to be past them.
struct DeliveryLedger: Sendable {
    /// Nil for a record that was no job.
    private var finished: [Position: Job?] = [:]

    var isEmpty: Bool { finished.isEmpty }

    mutating func finished(_ position: Position, _ job: Job?) { finished.updateValue(job, forKey: position) }

    /// Answers what the commit is past. Of partitions that are another worker's now, whenever it was delivered or
    /// finished here, it is not known whether a commit reached it: that is forgotten, its notes stay, and whoever has it
    /// delivered again sees that it has ended.
    ///
    /// - Parameter offsets: what is durable as the group's in each partition that is this worker's.
    mutating func committed(_ offsets: [TopicPartition: Int64]) -> [Position: Job?] {
        let past = finished.filter { entry in offsets[entry.key.partition].map { entry.key.offset < $0 } ?? false }
        finished = finished.filter { entry in offsets[entry.key.partition].map { entry.key.offset >= $0 } ?? false }
        return past
    }
}
