public import Broker

/// Settings of a cataloguer.
public struct CatalogueSettings: Hashable, Sendable {
    /// Maximum number of manifests per transaction. Each commit waits for the disk, so large batches are faster, but a
    /// crash repeats a whole batch.
    public var maxBatchCount: Int
    /// Maximum wait for manifests. It also limits how long `stop` takes.
    public var maxWait: Duration
    /// Pause between attempts to reach a broker.
    public var retryPause: Duration
    /// Whether to wait indefinitely for an unreachable broker and for full or missing storage. If false, `run` throws.
    public var isService = false
    /// Whether to share a library on a server with other cataloguers: each takes some of the topic's partitions.
    public var isShared = false
    /// Topics to create if the broker lacks them.
    public var topics: [Topic]
    /// Topic of the manifests.
    public let topic = Topics.manifests

    /// Creates settings, by default for a single machine.
    public init(
        maxBatchCount: Int = 1000, maxWait: Duration = .milliseconds(200), retryPause: Duration = .seconds(1),
        topics: [Topic] = Topics.local
    ) {
        self.maxBatchCount = maxBatchCount
        self.maxWait = maxWait
        self.retryPause = retryPause
        self.topics = topics
    }
}
