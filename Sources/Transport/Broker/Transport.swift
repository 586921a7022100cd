/// A broker: the embedded one, or a Kafka cluster. Roles use a broker only through these protocols. Calls throw
/// `BrokerError.unknownTopic` for a missing topic, and `closed` after `close`.
public protocol Transport: Sendable {
    /// The identity of the broker's content. It changes if the broker loses everything and starts again; offsets stored
    /// elsewhere are then invalid.
    func clusterID() async throws -> String

    /// Claims the topics for a library, unless another library has claimed them. Returns their owner.
    func claim(for library: String) async throws -> String

    /// The library that claimed the topics, if any.
    func owner() async throws -> String?

    /// Creates the missing topics. Existing ones stay as they are.
    func create(_ topics: [Topic]) async throws

    /// Creates a producer for any topic.
    func producer() async throws -> any Producer

    /// Joins a consumer group, whose members share the topics' partitions. The group continues at its committed
    /// offsets; a new group begins at the oldest record. `inFlight` limits the delivered but unfinished records.
    func consumer(group: String, topics: [String], inFlight: Int) async throws -> any GroupConsumer

    /// Creates a reader of all partitions of a topic, whose caller keeps the offsets. A missing or invalid offset means
    /// the oldest record.
    func reader(topic: String, from offsets: [Int32: Int64]) async throws -> any Reader

    /// Creates a reader that continues where an earlier one stopped. Its polls throw `BrokerError.replaced` once the
    /// cluster or the topic turns out to be another one; check the position with ``find(_:in:)`` then.
    ///
    /// - Throws: `BrokerError.replaced` if the cluster is already another one.
    func reader(topic: String, continuing position: StoredPosition) async throws -> any Reader

    /// Looks for records that were read before, by partition.
    func find(_ records: [Int32: KnownRecord], in topic: String) async throws -> [Int32: KnownRecord.Finding]

    /// The range of offsets of each partition: from its oldest record to the next one.
    func watermarks(topic: String) async throws -> [Int32: Range<Int64>]

    /// The group's committed offsets, by partition: that of the first unfinished record.
    func committed(group: String, topic: String) async throws -> [Int32: Int64]

    /// Closes all producers, consumers and readers, and releases the broker. Later calls throw `closed`.
    func close() async
}

/// Sends records.
public protocol Producer: Sendable {
    /// Sends records, and returns once all of them are durable.
    ///
    /// Delivery is at least once: after an error, some records may be durable. Send all of them again.
    ///
    /// - Returns: the positions of the records, in the same order.
    /// - Throws: `BrokerError.recordTooLarge` for a record above the topic's limit, before anything is sent.
    func send(_ records: [Record], to topic: String) async throws -> [Position]

    /// Closes the producer. Later calls of `send` throw `closed`.
    func close() async
}

/// A member of a consumer group.
///
/// Delivery is at least once: a record may be delivered again until it is finished and its offset is committed. The
/// consumer commits the contiguous finished prefix of each partition in `commit`, in `close`, and before partitions are
/// revoked.
public protocol GroupConsumer: Sendable {
    /// Delivers up to `limit` records, which are in flight until `finish`. Returns an empty array if none arrives
    /// within `wait`, and at once in a cancelled task, so a loop has to check for cancellation.
    func poll(limit: Int, wait: Duration) async throws -> [Delivery]

    /// Reports that the effects of a record are durable. Does nothing for a record of a revoked partition.
    func finish(_ position: Position) async

    /// Commits the finished records. Returns the durable offset of each partition of this member once the commit is
    /// durable.
    @discardableResult func commit() async throws -> [TopicPartition: Int64]

    /// Stops deliveries of a topic. Survives a rebalance.
    func pause(topic: String) async

    /// Continues deliveries of a topic.
    func resume(topic: String) async

    /// Leaves the group for a while, as `close` does. Returns once this member has given up its partitions and its
    /// records in flight. Polls deliver nothing until `rejoin`.
    func leave() async

    /// Joins the group again after `leave`.
    func rejoin() async

    /// The partitions of this member. Empty until it has joined, which may take until the first `poll`.
    func assignment() async -> Set<TopicPartition>

    /// Sets a closure to call when partitions are about to be revoked. The member then waits a while for its records in
    /// flight there, so that they are committed and not repeated.
    ///
    /// - Parameter release: receives the partitions, and returns the records in flight that will not be finished; the
    ///   member does not wait for these. It is called on a thread that must not block.
    func onRevocation(_ release: @escaping @Sendable (Set<TopicPartition>) -> Set<Position>) async

    /// Commits the finished records and leaves the group. Records in flight go to another member.
    func close() async
}

/// Reads a topic without a group.
public protocol Reader: Sendable {
    /// Returns up to `limit` records, in the order of their offsets within each partition. Returns an empty array if
    /// none arrives within `wait`, and at once in a cancelled task, so a loop has to check for cancellation.
    func poll(limit: Int, wait: Duration) async throws -> [Delivery]

    /// Closes the reader. Later calls of `poll` throw `closed`.
    func close() async
}
