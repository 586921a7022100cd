public import Metrics

/// State of a process's connections to the cluster at one moment.
public struct ConnectionFigures: Hashable, Sendable {
    /// State of one consumer.
    public struct Member: Hashable, Sendable {
        /// Its consumer group; empty for a reader without a group.
        public let group: String
        /// Number of assigned partitions.
        public let partitions: Int
        /// Records delivered and not finished.
        public let inFlight: Int
        /// How often its client was replaced.
        public let recreations: Int
        /// False while it knows no coordinator of its group or, without a group, no broker.
        public let isConnected: Bool

        /// Creates figures from the values.
        public init(group: String, partitions: Int, inFlight: Int, recreations: Int, isConnected: Bool) {
            self.group = group
            self.partitions = partitions
            self.inFlight = inFlight
            self.recreations = recreations
            self.isConnected = isConnected
        }
    }

    /// Acknowledged records.
    public let sent: Int
    /// Records that were not acknowledged.
    public let unsent: Int
    /// How often the producer was replaced.
    public let recreations: Int
    /// The process's consumers.
    public let members: [Member]

    /// Creates figures from the values.
    public init(sent: Int, unsent: Int, recreations: Int, members: [Member]) {
        self.sent = sent
        self.unsent = unsent
        self.recreations = recreations
        self.members = members
    }
}

/// Metrics of a process's connections to the cluster. Meets `connected` while all of them have found the cluster.
public final class ConnectionMonitor: Sendable {
    private let sent: Counter
    private let recreations: Counter
    private let partitions: Gauge
    private let inFlight: Gauge
    private let connected: Gauge
    private let readiness: Readiness

    private static let cause = "Kafka is not reachable"

    /// Registers the metrics.
    public init(_ registry: MetricRegistry, readiness: Readiness) {
        self.readiness = readiness
        sent = registry.counter(
            "rawmill_kafka_records_sent_total", "Records sent, by outcome.",
            labels: ["outcome"])
        recreations = registry.counter(
            "rawmill_kafka_recreations_total", "Number of times a Kafka client was replaced.",
            labels: ["client"])
        partitions = registry.gauge(
            "rawmill_assigned_partitions", "Partitions assigned to this member.", labels: ["group"])
        inFlight = registry.gauge(
            "rawmill_kafka_consumer_in_flight", "Records delivered and not finished.", labels: ["group"])
        connected = registry.gauge(
            "rawmill_kafka_consumer_connected", "1 if a consumer knows its group's coordinator or its broker.",
            labels: ["group"])
        readiness.setUnmet(.connected, Self.cause)
    }

    /// Updates the metrics and the readiness.
    public func update(from figures: ConnectionFigures) {
        sent.set(Double(figures.sent), ["acknowledged"])
        sent.set(Double(figures.unsent), ["failed"])
        recreations.set(Double(figures.recreations), ["producer"])
        recreations.set(Double(figures.members.reduce(0) { $0 + $1.recreations }), ["consumer"])
        let groups = Dictionary(grouping: figures.members) { $0.group.isEmpty ? "none" : $0.group }
        partitions.replace(groups.map { ([$0.key], Double($0.value.reduce(0) { $0 + $1.partitions })) })
        inFlight.replace(groups.map { ([$0.key], Double($0.value.reduce(0) { $0 + $1.inFlight })) })
        connected.replace(groups.map { ([$0.key], $0.value.allSatisfy(\.isConnected) ? 1 : 0) })
        if !figures.members.isEmpty, figures.members.allSatisfy(\.isConnected) {
            readiness.setMet(.connected)
        } else {
            readiness.setUnmet(.connected, Self.cause)
        }
    }
}
