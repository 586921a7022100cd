/// A topic: its name, its partitions, and the limits for its records.
public struct Topic: Hashable, Sendable {
    /// How long records stay.
    public enum Retention: Hashable, Sendable {
        /// A record may be removed once every group that ever joined for the topic has finished it.
        case untilConsumed
        /// The newest record of each key stays.
        case compacted
        /// All records stay.
        case forever
    }

    /// The name by which clients address it.
    public let name: String
    /// The number of partitions, which is also the maximum number of group members that can share the topic.
    public let partitions: Int32
    /// How long its records stay.
    public let retention: Retention
    /// The size limit of a record, as `Record.sizeBytes` counts.
    public let maxRecordBytes: Int

    /// Describes a topic; nothing is created.
    public init(name: String, partitions: Int32, retention: Retention, maxRecordBytes: Int = Record.maxBytes) {
        self.name = name
        self.partitions = partitions
        self.retention = retention
        self.maxRecordBytes = maxRecordBytes
    }
}

/// Rawmill's topics.
public enum Topics {
    /// Operators' commands: submit, pause, resume, cancel.
    public static let control = "rawmill.control"
    /// Jobs that a person waits for.
    public static let interactiveJobs = "rawmill.jobs.interactive"
    /// All other jobs.
    public static let bulkJobs = "rawmill.jobs.bulk"
    /// Failed jobs that will be tried again.
    public static let retry = "rawmill.retry"
    /// What workers made of jobs.
    public static let manifests = "rawmill.manifests"
    /// The cataloguer's word about each manifest: merged, or refused and why. The coordinator counts nothing else.
    public static let results = "rawmill.results"
    /// The coordinator's word that it accepted jobs with `--originals move` and that their photos are in the library. Only
    /// then does the cataloguer remove a source.
    public static let removals = "rawmill.removals"
    /// Records that could not be processed, with the reason.
    public static let deadLetter = "rawmill.dead-letter"
    /// The state of each worker, compacted by worker.
    public static let workers = "rawmill.workers"
    /// The state of each batch and of the coordinator, compacted. `rawmill status` shows it, and workers learn from it
    /// which records are out of date.
    public static let status = "rawmill.status"

    /// The topics that workers consume.
    public static let jobTopics = [interactiveJobs, bulkJobs, retry]

    /// The size limit of a dead letter, which holds a record of any other topic and the reason.
    public static let maxDeadLetterBytes = 2 * Record.maxBytes

    /// The topics of the embedded broker, with enough partitions for one machine. `status` is missing, because only a
    /// cluster uses it.
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

    /// The topics of a cluster.
    ///
    /// - Parameter partitions: the partitions of each jobs topic, which is also the maximum number of workers.
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
