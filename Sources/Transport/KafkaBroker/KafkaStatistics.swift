public import Broker

/// Figures of a transport, for metrics: a value as it was at one moment.
public struct KafkaStatistics: Hashable, Sendable {
    public struct Producer: Hashable, Sendable {
        /// Records acknowledged by the cluster, and records that were not.
        public var delivered = 0
        public var failed = 0
        /// Times that the client died or lost its cluster and was replaced.
        public var recreations = 0
    }

    public struct Consumer: Hashable, Sendable {
        /// Empty for a reader.
        public var group = ""
        public var partitions = 0
        /// Records handed out and not finished.
        public var inFlight = 0
        /// Records fetched and not handed out.
        public var buffered = 0
        /// Records behind what the group committed, by partition of this member's; empty for a reader.
        public var lag: [TopicPartition: Int64] = [:]
        /// How long ago the oldest record in flight was handed out; zero where none is.
        public var oldestPending = Duration.zero
        public var rebalances = 0
        public var commits = 0
        /// Commits that would have passed a record that is not finished, or gone back: refused. Always 0, or there is a
        /// fault in the program.
        public var violations = 0
        public var recreations = 0
        /// False while no coordinator is known, or no broker, for a reader.
        public var isConnected = false
    }

    public var producer = Producer()
    public var consumers: [Consumer] = []
}
