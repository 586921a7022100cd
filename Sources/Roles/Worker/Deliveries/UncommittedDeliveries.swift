internal import Broker
internal import Jobs

/// Finished deliveries that the broker may still deliver again, because no commit is known to have passed them.
struct UncommittedDeliveries: Sendable {
    /// By position; nil for a record that was no job.
    private var jobs: [Position: Job?] = [:]

    var isEmpty: Bool { jobs.isEmpty }

    mutating func insert(_ position: Position, _ job: Job?) { jobs.updateValue(job, forKey: position) }

    /// Removes and returns the deliveries that a commit passed.
    ///
    /// Deliveries of partitions that belong to another worker now are removed without being returned: it is unknown
    /// whether a commit reached them. Their completion markers stay, so the worker that gets such a delivery again sees
    /// that it is complete.
    ///
    /// - Parameter offsets: the group's durable offset in each partition that is assigned to this worker.
    mutating func removeCommitted(_ offsets: [TopicPartition: Int64]) -> [Position: Job?] {
        let committed = jobs.filter { entry in offsets[entry.key.partition].map { entry.key.offset < $0 } ?? false }
        jobs = jobs.filter { entry in offsets[entry.key.partition].map { entry.key.offset >= $0 } ?? false }
        return committed
    }
}
