public import Broker

/// How a cataloguer works.
public struct CatalogueSettings: Hashable, Sendable {
    /// Most manifests of one transaction. A commit waits for the disk, so that large batches are fast; a batch is also
    /// what is read again after a kill.
    public var batch: Int
    /// Longest wait for manifests, and so for `stop`.
    public var wait: Duration
    /// Between two tries to reach a broker.
    public var pause: Duration
    /// True waits for a broker that is out of reach, and for storage that is full or gone, as long as it takes; else
    /// `run` ends then.
    public var isService = false
    /// The topics made where the broker has none.
    public var topics: [Topic]
    public let topic = Topics.manifests

    public init(
        batch: Int = 1000, wait: Duration = .milliseconds(200), pause: Duration = .seconds(1),
        topics: [Topic] = Topics.onOneMachine
    ) {
        self.batch = batch
        self.wait = wait
        self.pause = pause
        self.topics = topics
    }
}
