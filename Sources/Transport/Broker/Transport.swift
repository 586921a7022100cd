/// A broker: the embedded one, or a Kafka cluster. The roles know of a broker only what these protocols say.
public protocol Transport: Sendable {
    /// An identity of the broker's content. It changes if the broker loses everything and begins again; offsets that were
    /// kept elsewhere are meaningless then.
    func clusterID() async throws -> String

    /// Creates the topics that do not exist. Existing ones stay as they are.
    func create(_ topics: [Topic]) async throws

    /// A producer, for any topic.
    func producer() async throws -> any Producer

    /// Joins a consumer group. Its members share the topics' partitions, and it continues at the offsets that it has
    /// committed. A new group begins at the oldest record.
    ///
    /// - Parameter inFlight: how many records may be delivered and not yet finished. No more are delivered.
    func consumer(group: String, topics: [String], inFlight: Int) async throws -> any GroupConsumer

    /// Reads all partitions of a topic, for a reader that keeps its offsets itself.
    ///
    /// - Parameter offsets: where each partition begins. A missing offset, and one that does not exist, means the oldest
    ///   record.
    func reader(topic: String, from offsets: [Int32: Int64]) async throws -> any Reader

    /// The offsets of each partition's oldest record and of the next one to be written.
    func watermarks(topic: String) async throws -> [Int32: Range<Int64>]

    /// The offsets that the group has committed, by partition: of the next record that it has not finished.
    func committed(group: String, topic: String) async throws -> [Int32: Int64]

    /// Closes all producers, consumers and readers, and releases the broker. Every later call throws `closed`.
    func close() async
}

/// Sends records.
public protocol Producer: Sendable {
    /// Sends records, and returns once all of them are durable.
    ///
    /// Delivery is at least once: after an error, some records may be durable. Send all of them again.
    ///
    /// - Returns: the records' positions, in order.
    /// - Throws: `BrokerError.recordTooLarge` for a record above the topic's limit, before anything is sent.
    func send(_ records: [Record], to topic: String) async throws -> [Position]

    /// Ends the producer. Later calls of `send` throw `closed`.
    func close() async
}

/// A member of a consumer group.
///
/// Delivery is at least once: a record may be delivered again until it was finished and its offset committed. The
/// consumer commits the contiguous finished prefix of each partition: in `commit`, in `close`, and before partitions are
/// revoked. A record that finishes out of order waits for those before it.
public protocol GroupConsumer: Sendable {
    /// Delivers up to `limit` records; none if there is none within `wait`. Delivered records are in flight until
    /// `finish`.
    func poll(limit: Int, wait: Duration) async throws -> [Delivery]

    /// Says that the effects of a record are durable, so it need not be delivered again. Does nothing for a record of a
    /// partition that was revoked.
    func finish(_ position: Position) async

    /// Commits what is finished, and returns once that is durable.
    ///
    /// - Returns: the durable offset of each partition that is this member's now.
    @discardableResult func commit() async throws -> [TopicPartition: Int64]

    /// Stops deliveries of a topic. Survives a rebalance.
    func pause(topic: String) async

    /// Continues deliveries of a topic.
    func resume(topic: String) async

    /// Leaves the group for a while, as `close` does. Returns once the partitions, and the records in flight, are no longer
    /// this member's. Polls deliver nothing until `rejoin`.
    func leave() async

    /// Joins the group again after `leave`.
    func rejoin() async

    /// The partitions that are this member's now. Empty until it has joined, which may take until the first `poll`.
    func assignment() async -> Set<TopicPartition>

    /// Sets what happens when partitions are about to be revoked. The member first waits a while for its records in flight
    /// there, so that they are committed and nobody repeats them, except for those that `release` returns.
    ///
    /// - Parameter release: receives the partitions, and returns the records in flight that will not be finished. It is
    ///   called on a thread that must not wait.
    func onRevocation(_ release: @escaping @Sendable (Set<TopicPartition>) -> Set<Position>) async

    /// Commits what is finished and leaves the group. Records in flight go to another member.
    func close() async
}

/// Reads a topic without a group.
public protocol Reader: Sendable {
    /// Up to `limit` records, in the order of their offsets within each partition; none if there is none within `wait`.
    func poll(limit: Int, wait: Duration) async throws -> [Delivery]

    /// Ends the reader. Later calls of `poll` throw `closed`.
    func close() async
}
