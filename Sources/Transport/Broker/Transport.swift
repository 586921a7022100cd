/// A broker: the embedded one, or a Kafka cluster. What the roles know of transport is these three protocols.
public protocol Transport: Sendable {
    /// Changes when the broker lost everything and began anew: offsets kept elsewhere mean nothing then.
    func clusterID() async throws -> String

    /// Makes the topics that do not exist; the others stay as they are.
    func create(_ topics: [Topic]) async throws

    func producer() async throws -> any Producer

    /// Joins a consumer group: its members share the topics' partitions, and the group's committed offsets are where
    /// it goes on. A new group begins at the oldest record.
    ///
    /// - Parameter inFlight: most records delivered and not yet finished; more are not delivered.
    func consumer(group: String, topics: [String], inFlight: Int) async throws -> any GroupConsumer

    /// Reads every partition of the topic from the offsets given (or the oldest record), for a reader that keeps its
    /// offsets itself. An offset that is gone, or not there yet, means the oldest record.
    func reader(topic: String, from offsets: [Int32: Int64]) async throws -> any Reader

    /// Offsets of the oldest record and of the next one to be written.
    func watermarks(topic: String) async throws -> [Int32: Range<Int64>]

    /// What the group committed, by partition: the offset of the next record it has not finished.
    func committed(group: String, topic: String) async throws -> [Int32: Int64]

    /// Closes what was made of it and is still open, and gives back what it holds. Everything throws `closed` after.
    func close() async
}

public protocol Producer: Sendable {
    /// Returns when every record is durable, with their positions in order. On an error some may be, none must be
    /// assumed to be: send again. Delivery is at least once.
    ///
    /// - Throws: `BrokerError.recordTooLarge` for a record over the topic's `largestBytes`, before anything is sent.
    func send(_ records: [Record], to topic: String) async throws -> [Position]

    func close() async
}

/// A member of a consumer group.
///
/// Delivery is at least once: a record may be delivered again until `finish` for it was followed by a commit. The
/// consumer commits the contiguous finished prefix of each partition by itself, at `commit`, when partitions are
/// taken away, and at `close`. Records finished out of order wait for those before them.
public protocol GroupConsumer: Sendable {
    /// Up to `limit` records; empty after `wait` without any. Positions count as in flight from here until `finish`.
    func poll(limit: Int, wait: Duration) async throws -> [Delivery]

    /// The record's effects are durable: it need not be delivered again. A position of a partition since taken away
    /// is ignored.
    func finish(_ position: Position) async

    /// Commits what is finished, and returns when it is durable.
    ///
    /// - Returns: what is durable as the group's in each partition that is this member's now.
    @discardableResult func commit() async throws -> [TopicPartition: Int64]

    /// Stops, and starts again, deliveries of a topic. Survives a rebalance.
    func pause(topic: String) async
    func resume(topic: String) async

    /// Leaves the group for a while, as `close` does, and returns when its partitions are no longer this member's:
    /// others have them, and whatever was in flight. Polls deliver nothing until `rejoin`.
    func leave() async

    /// Takes part in the group again after `leave`.
    func rejoin() async

    /// The partitions that are this member's now. Empty until it joined, which may take until the first `poll`.
    func assignment() async -> Set<TopicPartition>

    /// Has the member ask, when partitions are about to go to another one, which of their records in flight it lets
    /// go: for the rest it waits a while, so that their finishing is committed and nobody does them again.
    ///
    /// - Parameter release: called on a thread that must not be held up; answers what will not be finished here.
    func whenLeaving(_ release: @escaping @Sendable (Set<TopicPartition>) -> Set<Position>) async

    /// Commits what is finished and leaves the group; what is in flight goes to another member.
    func close() async
}

/// Reads a topic without a group.
public protocol Reader: Sendable {
    /// Up to `limit` records in order of offset within each partition; empty after `wait` without any.
    func poll(limit: Int, wait: Duration) async throws -> [Delivery]

    func close() async
}
