/// A cluster and its settings, for `ClusterCheck`.
public struct ClusterDescription: Hashable, Sendable {
    /// The number of brokers.
    public var brokers: Int
    /// The settings of one broker, by Kafka's names. All brokers should have the same.
    public var brokerSettings: [String: String] = [:]
    /// The existing topics, by name.
    public var topics: [String: TopicDescription] = [:]

    /// Describes a cluster without topics.
    public init(brokers: Int) { self.brokers = brokers }
}

/// A topic and its settings, for `ClusterCheck`.
public struct TopicDescription: Hashable, Sendable {
    /// The number of partitions.
    public var partitions: Int
    /// The fewest replicas of any partition.
    public var replicas: Int
    /// The fewest in-sync replicas of any partition.
    public var inSyncReplicas: Int
    /// Whether every partition has a leader.
    public var hasLeaders: Bool
    /// The settings, by Kafka's names.
    public var settings: [String: String]

    /// Memberwise initializer.
    public init(
        partitions: Int, replicas: Int, inSyncReplicas: Int, hasLeaders: Bool = true, settings: [String: String] = [:]
    ) {
        self.partitions = partitions
        self.replicas = replicas
        self.inSyncReplicas = inSyncReplicas
        self.hasLeaders = hasLeaders
        self.settings = settings
    }
}
