/// A topic: its name, its partitions, and the limits for its records.
public struct Topic: Hashable, Sendable {
    /// How long records are kept.
    public enum Retention: Hashable, Sendable {
        /// A record may be removed once every group that ever joined for the topic has finished it.
        case untilConsumed
        /// The newest record of each key stays.
        case compacted
        /// All records stay.
        case forever
    }

    /// The topic's name.
    public let name: String
    /// The number of partitions, and so the maximum number of group members that can share the topic.
    public let partitions: Int32
    /// How long records are kept.
    public let retention: Retention
    /// The size limit of a record, as `Record.sizeBytes` counts.
    public let maxRecordBytes: Int

    /// Memberwise initializer. Creates nothing at the broker.
    public init(name: String, partitions: Int32, retention: Retention, maxRecordBytes: Int = Record.maxBytes) {
        self.name = name
        self.partitions = partitions
        self.retention = retention
        self.maxRecordBytes = maxRecordBytes
    }
}

/// Rawmill's topics.
public enum Topics {
    /// Operators' commands: submit, pause, resume, cancel and others.
    public static let control = "rawmill.control"
    /// Jobs that a user waits for.
    public static let interactiveJobs = "rawmill.jobs.interactive"
    /// All other jobs.
    public static let bulkJobs = "rawmill.jobs.bulk"
    /// Failed jobs to be tried again.
    public static let retry = "rawmill.retry"
    /// The results of renders, from the workers.
    public static let manifests = "rawmill.manifests"
    /// The cataloguer's result for each manifest: merged, or refused with a reason. The coordinator counts only these.
    public static let results = "rawmill.results"
    /// The coordinator's confirmations that it accepted jobs with `--originals move` and that their photos are in the
    /// library. The cataloguer removes a source only after that.
    public static let removals = "rawmill.removals"
    /// Records that could not be processed, with the reason.
    public static let deadLetter = "rawmill.dead-letter"
    /// The state of each worker, compacted by worker.
    public static let workers = "rawmill.workers"
    /// The state of each batch and of the coordinator, compacted. `rawmill status` shows it, and workers read there
    /// which records are out of date.
    public static let status = "rawmill.status"

    /// The topics that workers consume.
    public static let jobTopics = [interactiveJobs, bulkJobs, retry]

    /// The size limit of a dead letter, which holds a record of any other topic and the reason.
    public static let maxDeadLetterBytes = 2 * Record.maxBytes

    /// The topics of the embedded broker, with partitions for one machine. Only a cluster uses `status`.
    public static let local: [Topic] = [
        Topic(name: control, partitions: 1, retention: .untilConsumed),
        Topic(name: interactiveJobs, partitions: 4, retention: .untilConsumed),
        Topic(name: bulkJobs, partitions: 4, retention: .untilConsumed),
        Topic(name: retry, partitions: 1, retention: .untilConsumed),
        Topic(name: manifests, partitions: 4, retention: .forever),
        Topic(name: results, partitions: 1, retention: .untilConsumed),
        Topic(name: removals, partitions: 1, retention: .untilConsumed),
        Topic(name: deadLetter, partitions: 1, retention: .forever, maxRecordBytes: maxDeadLetterBytes),
        Topic(name: workers, partitions: 1, retention: .compacted),
    ]

    /// The topics of a cluster. `partitions` is that of each jobs topic, and so the maximum number of workers.
    public static func cluster(partitions: Int32 = 64) -> [Topic] {
        let fewer = max(1, min(16, partitions))
        return [
            Topic(name: control, partitions: 1, retention: .untilConsumed),
            Topic(name: interactiveJobs, partitions: partitions, retention: .untilConsumed),
            Topic(name: bulkJobs, partitions: partitions, retention: .untilConsumed),
            Topic(name: retry, partitions: fewer, retention: .untilConsumed),
            Topic(name: manifests, partitions: fewer, retention: .forever),
            Topic(name: results, partitions: 1, retention: .untilConsumed),
            Topic(name: removals, partitions: 1, retention: .untilConsumed),
            Topic(name: deadLetter, partitions: 1, retention: .forever, maxRecordBytes: maxDeadLetterBytes),
            Topic(name: workers, partitions: 1, retention: .compacted),
            Topic(name: status, partitions: 1, retention: .compacted),
        ]
    }
}
