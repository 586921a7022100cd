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
        public var rebalances = 0
        public var commits = 0
        public var recreations = 0
        /// False while no coordinator is known, or no broker, for a reader.
        public var isConnected = false
    }

    public var producer = Producer()
    public var consumers: [Consumer] = []
}
