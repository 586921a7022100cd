public import Metrics

/// Figures of a process's connections to the cluster at one moment.
public struct ConnectionFigures: Hashable, Sendable {
    /// Figures of one consumer.
    public struct Member: Hashable, Sendable {
        /// Its consumer group; empty for a reader without a group.
        public let group: String
        /// Partitions it has.
        public let partitions: Int
        /// Records delivered and not finished.
        public let inFlight: Int
        /// How often its client was replaced by a new one.
        public let recreations: Int
        /// False while it knows neither its group's coordinator nor, without a group, a broker.
        public let isConnected: Bool

        /// Takes the figures as they are.
        public init(group: String, partitions: Int, inFlight: Int, recreations: Int, isConnected: Bool) {
            self.group = group
            self.partitions = partitions
            self.inFlight = inFlight
            self.recreations = recreations
            self.isConnected = isConnected
        }
    }

    /// Records that the cluster acknowledged.
    public let sent: Int
    /// Records that it did not acknowledge.
    public let unsent: Int
    /// How often the producer was replaced by a new one.
    public let recreations: Int
    /// The process's consumers.
    public let members: [Member]

    /// Takes the figures as they are.
    public init(sent: Int, unsent: Int, recreations: Int, members: [Member]) {
        self.sent = sent
        self.unsent = unsent
        self.recreations = recreations
        self.members = members
    }
}

/// A process's connections to the cluster, as metrics. Meets `connected` while all of them have found the cluster.
public final class ConnectionMonitor: Sendable {
    private let sent: Counter
    private let recreations: Counter
    private let partitions: Gauge
    private let inFlight: Gauge
    private let connected: Gauge
    private let readiness: Readiness

    private static let cause = "Kafka was not found yet, or is out of reach"

    /// Registers the metrics.
    public init(_ registry: MetricRegistry, readiness: Readiness) {
        self.readiness = readiness
        sent = registry.counter(
            "rawmill_kafka_records_sent_total", "Records sent: acknowledged by the cluster, or not.",
            labels: ["outcome"])
        recreations = registry.counter(
            "rawmill_kafka_recreations_total", "Times that a client of Kafka was given up and made anew.",
            labels: ["client"])
        partitions = registry.gauge("rawmill_assigned_partitions", "Partitions this member has.", labels: ["group"])
        inFlight = registry.gauge(
            "rawmill_kafka_consumer_in_flight", "Records handed out and not finished.", labels: ["group"])
        connected = registry.gauge(
            "rawmill_kafka_consumer_connected", "1 where a consumer knows its group's coordinator, or its broker.",
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
