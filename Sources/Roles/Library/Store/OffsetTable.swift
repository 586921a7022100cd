internal import Database

/// A topic of one broker. A broker that lost everything is another one, whose offsets begin at 0.
public struct ConsumedTopic: Hashable, Sendable {
    /// The broker's cluster identifier.
    public let cluster: String
    /// The topic's name.
    public let topic: String

    /// Takes the parts as they are.
    public init(cluster: String, topic: String) {
        self.cluster = cluster
        self.topic = topic
    }
}

/// The table `offsets`: how far each topic has been consumed. Offsets are written in the transaction of what the
/// records led to, so that a record and the fact that it was read are one.
public struct OffsetTable {
    private let database: LibraryDatabase

    init(_ database: LibraryDatabase) { self.database = database }

    /// The offset of the next record to consume, by partition. Partitions that were never consumed are missing.
    ///
    /// - Throws: `LibraryError`.
    public func next(of topic: ConsumedTopic) throws -> [Int32: Int64] {
        var offsets: [Int32: Int64] = [:]
        try database.perform { connection in
            try connection.each(
                "SELECT partition, next FROM offsets WHERE cluster = ? AND topic = ?", topic.cluster, topic.topic
            ) { row in
                if let partition = Int32(exactly: row.integer(0)) { offsets[partition] = row.integer(1) }
            }
        }
        return offsets
    }

    /// Stores that every record before `next` is in the library, within the transaction that merged them. An offset
    /// never goes back.
    ///
    /// - Throws: `LibraryError`.
    public func advance(_ topic: ConsumedTopic, partition: Int32, to next: Int64) throws {
        try database.perform { connection in
            _ = try connection.run(
                """
                INSERT INTO offsets VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET next = excluded.next WHERE excluded.next > next
                """, topic.cluster, topic.topic, partition, next)
        }
    }

    /// Forgets a partition's offset, because the topic was created anew and is shorter than the offset.
    ///
    /// - Throws: `LibraryError`.
    public func forget(_ topic: ConsumedTopic, partition: Int32) throws {
        try database.perform { connection in
            _ = try connection.run(
                "DELETE FROM offsets WHERE cluster = ? AND topic = ? AND partition = ?", topic.cluster, topic.topic,
                partition)
        }
    }

    /// Calls `body` with every offset.
    func each(_ body: (ConsumedTopic, _ partition: Int32, _ next: Int64) throws -> Void) throws {
        try database.perform { connection in
            try connection.each("SELECT cluster, topic, partition, next FROM offsets") { row in
                guard let partition = Int32(exactly: row.integer(2)) else { return }
                try body(ConsumedTopic(cluster: row.text(0), topic: row.text(1)), partition, row.integer(3))
            }
        }
    }
}
