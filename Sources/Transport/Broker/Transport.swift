/// A broker: the embedded one, or a Kafka cluster. The roles use a broker only through these protocols.
public protocol Transport: Sendable {
    /// An identity of the broker's content. It changes if the broker loses everything and begins again. Offsets stored
    /// elsewhere are then invalid.
    func clusterID() async throws -> String

    /// Records that the topics belong to a library, unless they belong to one. The first to say so has them.
    ///
    /// - Returns: the library they belong to.
    func claim(for library: String) async throws -> String

    /// The library that the topics belong to; nil if none has claimed them.
    func owner() async throws -> String?

    /// Creates the topics that do not exist. Existing ones stay as they are.
    func create(_ topics: [Topic]) async throws

    /// Creates a producer, which can send to any topic.
    func producer() async throws -> any Producer

    /// Joins a consumer group. Its members share the topics' partitions. The group continues at its committed offsets;
    /// a new group begins at the oldest record.
    ///
    /// - Parameter inFlight: the maximum number of records that are delivered but not yet finished.
    func consumer(group: String, topics: [String], inFlight: Int) async throws -> any GroupConsumer

    /// Creates a reader of all partitions of a topic. Its caller keeps the offsets.
    ///
    /// - Parameter offsets: where to begin in each partition. A missing or invalid offset means the oldest record.
    func reader(topic: String, from offsets: [Int32: Int64]) async throws -> any Reader

    /// Creates a reader that goes on where an earlier one was. Its polls throw `BrokerError.replaced` as soon as cluster or
    /// topic turn out to be another one; the position is then to be checked with ``find(_:in:)``.
    ///
    /// - Throws: `BrokerError.replaced` if the cluster is another one already.
    func reader(topic: String, continuing position: StoredPosition) async throws -> any Reader

    /// Looks for records that were read before, by partition.
    func find(_ records: [Int32: KnownRecord], in topic: String) async throws -> [Int32: KnownRecord.Finding]

    /// The range of offsets of each partition: from its oldest record to the next one to be written.
    func watermarks(topic: String) async throws -> [Int32: Range<Int64>]

    /// The group's committed offsets, by partition: each is the offset of the first record that is not finished.
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
    /// - Returns: the positions of the records, in the same order.
    /// - Throws: `BrokerError.recordTooLarge` for a record above the topic's limit, before anything is sent.
    func send(_ records: [Record], to topic: String) async throws -> [Position]

    /// Ends the producer. Later calls of `send` throw `closed`.
    func close() async
}

/// A member of a consumer group.
///
/// Delivery is at least once: a record may be delivered again until it is finished and its offset is committed. The
/// consumer commits the contiguous finished prefix of each partition: in `commit`, in `close`, and before partitions
/// are revoked. A record that finishes out of order is committed after those before it.
public protocol GroupConsumer: Sendable {
    /// Delivers up to `limit` records; an empty array if none arrives within `wait`, and at once in a task that is
    /// cancelled: a loop has to look at that itself. Delivered records are in flight until `finish`.
    func poll(limit: Int, wait: Duration) async throws -> [Delivery]

    /// Reports that the effects of a record are durable, so that it need not be delivered again. Does nothing for a
    /// record of a partition that was revoked.
    func finish(_ position: Position) async

    /// Commits the finished records, and returns once the commit is durable.
    ///
    /// - Returns: the durable offset of each partition that this member has now.
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

    /// The partitions that this member has now. Empty until it has joined, which may take until the first `poll`.
    func assignment() async -> Set<TopicPartition>

    /// Sets a closure to call when partitions are about to be revoked. The member then waits a while for its records in
    /// flight there, so that they can be committed and are not repeated. It does not wait for those that `release`
    /// returns.
    ///
    /// - Parameter release: receives the partitions, and returns the records in flight that will not be finished. It is
    ///   called on a thread that must not wait.
    func onRevocation(_ release: @escaping @Sendable (Set<TopicPartition>) -> Set<Position>) async

    /// Commits the finished records and leaves the group. Records in flight go to another member.
    func close() async
}

/// Reads a topic without a group.
public protocol Reader: Sendable {
    /// Returns up to `limit` records, in the order of their offsets within each partition; an empty array if none
    /// arrives within `wait`, and at once in a task that is cancelled: a loop has to look at that itself.
    func poll(limit: Int, wait: Duration) async throws -> [Delivery]

    /// Ends the reader. Later calls of `poll` throw `closed`.
    func close() async
}
