internal import Database

/// A topic of one broker. A broker that lost its data counts as another broker, whose offsets begin at 0.
public struct ConsumedTopic: Hashable, Sendable {
    /// The broker's cluster identifier.
    public let cluster: String
    /// The topic's name.
    public let topic: String

    /// Memberwise initializer.
    public init(cluster: String, topic: String) {
        self.cluster = cluster
        self.topic = topic
    }
}

/// The progress in a partition.
public struct ConsumedPartition: Hashable, Sendable {
    /// A consumed record, which identifies the topic later.
    public struct Known: Hashable, Sendable {
        /// Its offset within the partition.
        public let offset: Int64
        /// The time it was sent, in milliseconds since 1970.
        public let sentMilliseconds: Int64

        /// Memberwise initializer.
        public init(offset: Int64, sentMilliseconds: Int64) {
            self.offset = offset
            self.sentMilliseconds = sentMilliseconds
        }
    }

    /// The offset of the next record to consume.
    public let next: Int64
    /// Nil for progress that an earlier version recorded.
    public let known: Known?
}

/// The table `offsets`: the progress in each topic. An offset is written in the transaction of its records' changes.
/// Functions throw `LibraryError`.
public struct OffsetTable {
    private let database: LibraryDatabase

    init(_ database: LibraryDatabase) { self.database = database }

    /// The offset of the next record by partition, without partitions never consumed.
    public func next(of topic: ConsumedTopic) throws -> [Int32: Int64] { try partitions(of: topic).mapValues(\.next) }

    /// The progress in the topic by partition, without partitions never consumed.
    public func partitions(of topic: ConsumedTopic) throws -> [Int32: ConsumedPartition] {
        var partitions: [Int32: ConsumedPartition] = [:]
        try database.perform { connection in
            try connection.each(
                "SELECT partition, next, known_offset, known_ms FROM offsets WHERE cluster = ? AND topic = ?",
                topic.cluster, topic.topic
            ) { row in
                guard let partition = Int32(exactly: row.integer(0)) else { return }
                let known =
                    row.isNull(2)
                    ? nil : ConsumedPartition.Known(offset: row.integer(2), sentMilliseconds: row.integer(3))
                partitions[partition] = ConsumedPartition(next: row.integer(1), known: known)
            }
        }
        return partitions
    }

    /// Stores that the library has every record before `next`, within the transaction that merged them. Offsets never
    /// decrease.
    ///
    /// - Parameter known: one of the records, stored if the partition has none.
    public func advance(
        _ topic: ConsumedTopic, partition: Int32, to next: Int64, known: ConsumedPartition.Known? = nil
    ) throws {
        try database.perform { connection in
            _ = try connection.run(
                """
                INSERT INTO offsets (cluster, topic, partition, next, known_offset, known_ms) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (cluster, topic, partition) DO UPDATE SET
                    next = CASE WHEN offsets.next < excluded.next THEN excluded.next ELSE offsets.next END,
                    known_ms = CASE WHEN offsets.known_offset IS NULL THEN excluded.known_ms ELSE offsets.known_ms END,
                    known_offset = coalesce(offsets.known_offset, excluded.known_offset)
                """, topic.cluster, topic.topic, partition, next, known?.offset, known?.sentMilliseconds)
        }
    }

    /// Forgets a partition's known record, because the topic no longer has it. The next record replaces it.
    public func forgetKnown(_ topic: ConsumedTopic, partition: Int32) throws {
        try database.perform { connection in
            _ = try connection.run(
                """
                UPDATE offsets SET known_offset = NULL, known_ms = NULL
                WHERE cluster = ? AND topic = ? AND partition = ?
                """, topic.cluster, topic.topic, partition)
        }
    }

    /// Forgets a partition's offset, because the topic was created again.
    public func forget(_ topic: ConsumedTopic, partition: Int32) throws {
        try database.perform { connection in
            _ = try connection.run(
                "DELETE FROM offsets WHERE cluster = ? AND topic = ? AND partition = ?", topic.cluster, topic.topic,
                partition)
        }
    }

    package func each(_ body: (ConsumedTopic, _ partition: Int32, ConsumedPartition) throws -> Void) throws {
        var topics: [ConsumedTopic] = []
        try database.perform { connection in
            try connection.each("SELECT DISTINCT cluster, topic FROM offsets") { row in
                topics.append(ConsumedTopic(cluster: row.text(0), topic: row.text(1)))
            }
        }
        for topic in topics {
            for (partition, consumed) in try partitions(of: topic) { try body(topic, partition, consumed) }
        }
    }
}
