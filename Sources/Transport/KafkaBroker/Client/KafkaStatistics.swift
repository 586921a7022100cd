public import Broker

/// The current statistics of a transport, for metrics.
public struct KafkaStatistics: Hashable, Sendable {
    /// The totals of all producers.
    public struct Producer: Hashable, Sendable {
        /// Records that the cluster acknowledged.
        public var delivered = 0
        /// Records that failed.
        public var failed = 0
        /// How often the client was replaced after a fatal error or a lost cluster.
        public var recreations = 0
    }

    /// The statistics of one consumer or reader.
    public struct Consumer: Hashable, Sendable {
        /// The consumer group; empty for a reader.
        public var group = ""
        /// The number of assigned partitions.
        public var partitions = 0
        /// Records that are delivered but not finished.
        public var inFlight = 0
        /// Records that are fetched but not delivered.
        public var buffered = 0
        /// Records that the group has not committed, by partition of this member; empty for a reader.
        public var lag: [TopicPartition: Int64] = [:]
        /// The age of the oldest record in flight; zero without one.
        public var oldestPending = Duration.zero
        /// How often partitions were assigned.
        public var rebalances = 0
        /// Successful commits.
        public var commits = 0
        /// Commits refused because they would have skipped an unfinished record or gone back. A bug in Rawmill if not
        /// 0.
        public var violations = 0
        /// How often the client was replaced.
        public var recreations = 0
        /// Whether the group's coordinator is known; for a reader, any broker.
        public var isConnected = false
    }

    /// The totals of all producers.
    public var producer = Producer()
    /// The statistics of each open consumer and reader.
    public var consumers: [Consumer] = []
}
