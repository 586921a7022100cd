extension Topics {
    /// How every batch and the coordinator stand, compacted: what `rawmill status` shows, and what tells workers which
    /// records are out of date.
    public static let status = "rawmill.status"

    /// All of them for a cluster.
    ///
    /// - Parameter partitions: of the jobs topics, each: as many workers can share the jobs.
    public static func onCluster(partitions: Int32 = 64) -> [Topic] {
        let fewer = max(1, min(16, partitions))
        return [
            Topic(name: control, partitions: 1, retention: .untilConsumed),
            Topic(name: interactiveJobs, partitions: partitions, retention: .untilConsumed),
            Topic(name: bulkJobs, partitions: partitions, retention: .untilConsumed),
            Topic(name: retry, partitions: fewer, retention: .untilConsumed),
            Topic(name: manifests, partitions: fewer, retention: .forever),
            Topic(name: deadLetter, partitions: 1, retention: .forever, largestBytes: largestDeadLetterBytes),
            Topic(name: workers, partitions: 1, retention: .compacted),
            Topic(name: status, partitions: 1, retention: .compacted),
        ]
    }
}
