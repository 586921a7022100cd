public import Broker

/// How a cataloguer works.
public struct CatalogueSettings: Hashable, Sendable {
    /// The most manifests in one transaction. A commit waits for the disk, so that large batches are fast; but a batch
    /// is also what is read again after a crash.
    public var maxBatchCount: Int
    /// The longest wait for manifests, and so for `stop`.
    public var maxWait: Duration
    /// The pause before another attempt to reach a broker.
    public var retryPause: Duration
    /// True waits as long as it takes for a broker that cannot be reached, and for storage that is full or gone. With
    /// false `run` ends then.
    public var isService = false
    /// True works beside other cataloguers where the library is on a server: each takes some of the topic's partitions.
    public var isShared = false
    /// The topics that are created if the broker lacks them.
    public var topics: [Topic]
    /// The topic that manifests come from.
    public let topic = Topics.manifests

    /// Settings for a cluster of one machine, unless the caller gives others.
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
