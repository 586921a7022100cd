internal import Broker
internal import Jobs

/// Finished deliveries that may be delivered again, because no commit is known to have passed them.
struct UncommittedDeliveries: Sendable {
    /// By position; nil for a record that is not a job.
    private var jobs: [Position: Job?] = [:]

    var isEmpty: Bool { jobs.isEmpty }

    mutating func insert(_ position: Position, _ job: Job?) { jobs.updateValue(job, forKey: position) }

    /// Removes and returns the deliveries that a commit passed, given the group's durable offset in each partition
    /// assigned to this worker.
    ///
    /// Deliveries of partitions that now belong to another worker are removed but not returned: it is unknown whether a
    /// commit reached them. Their completion markers stay, so that the worker that gets such a delivery again
    /// recognises it as complete.
    mutating func removeCommitted(_ offsets: [TopicPartition: Int64]) -> [Position: Job?] {
        let committed = jobs.filter { entry in offsets[entry.key.partition].map { entry.key.offset < $0 } ?? false }
        jobs = jobs.filter { entry in offsets[entry.key.partition].map { entry.key.offset >= $0 } ?? false }
        return committed
    }
}
