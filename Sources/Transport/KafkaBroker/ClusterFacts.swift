public import Broker

/// A cluster as an operator sees it: for `ClusterCheck`.
public struct KafkaClusterFacts: Hashable, Sendable {
    public var brokers: Int
    /// Of one broker: they should be alike.
    public var brokerSettings: [String: String] = [:]
    /// By name; a topic that does not exist is missing.
    public var topics: [String: KafkaTopicFacts] = [:]

    public init(brokers: Int) { self.brokers = brokers }
}

public struct KafkaTopicFacts: Hashable, Sendable {
    public var partitions: Int
    /// Of the partition that has the fewest.
    public var copies: Int
    public var inSync: Int
    public var hasLeaders: Bool
    /// Kafka's names and values.
    public var settings: [String: String]

    public init(partitions: Int, copies: Int, inSync: Int, hasLeaders: Bool = true, settings: [String: String] = [:]) {
        self.partitions = partitions
        self.copies = copies
        self.inSync = inSync
        self.hasLeaders = hasLeaders
        self.settings = settings
    }
}

extension KafkaTransport {
    /// What the cluster is, for `ClusterCheck`.
    public func inspect(_ topics: [Topic]) async throws -> KafkaClusterFacts {
        try await admin.inspect(topics.map(\.name) + [Self.incarnations.name])
    }
}
