/// A topic and what becomes of its records.
public struct Topic: Hashable, Sendable {
    public enum Retention: Hashable, Sendable {
        /// May go once every group that ever joined for the topic is past it.
        case untilConsumed
        /// The newest record of each key stays.
        case compacted
        case forever
    }

    public let name: String
    public let partitions: Int32
    public let retention: Retention
    /// Largest record it takes, as `Record.sizeBytes` counts.
    public let largestBytes: Int

    public init(name: String, partitions: Int32, retention: Retention, largestBytes: Int = Record.largestBytes) {
        self.name = name
        self.partitions = partitions
        self.retention = retention
        self.largestBytes = largestBytes
    }
}

/// The topics of Rawmill, by name.
public enum Topics {
    public static let control = "rawmill.control"
    public static let interactiveJobs = "rawmill.jobs.interactive"
    public static let bulkJobs = "rawmill.jobs.bulk"
    public static let retry = "rawmill.retry"
    public static let manifests = "rawmill.manifests"
    public static let deadLetter = "rawmill.dead-letter"
    public static let workers = "rawmill.workers"

    /// Those that workers read.
    public static let ofJobs = [interactiveJobs, bulkJobs, retry]

    /// A dead letter holds a record of any other topic whole, and says why.
    public static let largestDeadLetterBytes = 2 * Record.largestBytes

    /// All of them; partitions as one machine needs them.
    public static let onOneMachine: [Topic] = [
        Topic(name: control, partitions: 1, retention: .untilConsumed),
        Topic(name: interactiveJobs, partitions: 4, retention: .untilConsumed),
        Topic(name: bulkJobs, partitions: 4, retention: .untilConsumed),
        Topic(name: retry, partitions: 1, retention: .untilConsumed),
        Topic(name: manifests, partitions: 4, retention: .forever),
        Topic(name: deadLetter, partitions: 1, retention: .forever, largestBytes: largestDeadLetterBytes),
        Topic(name: workers, partitions: 1, retention: .compacted),
    ]
}
