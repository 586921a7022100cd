internal import Database

/// A topic of one broker. A broker that lost everything and began anew is another one, whose offsets begin at 0.
public struct ConsumedTopic: Hashable, Sendable {
    public let cluster: String
    public let topic: String

    public init(cluster: String, topic: String) {
        self.cluster = cluster
        self.topic = topic
    }
}

extension LibraryStore {
    /// The offset of the next record to consume, by partition.
    public func offsets(of topic: ConsumedTopic) throws -> [Int32: Int64] {
        var offsets: [Int32: Int64] = [:]
        try LibraryError.naming(folder) {
            try connection.each(
                "SELECT partition, next FROM offsets WHERE cluster = ? AND topic = ?", topic.cluster, topic.topic
            ) { row in
                if let partition = Int32(exactly: row.integer(0)) { offsets[partition] = row.integer(1) }
            }
        }
        return offsets
    }

    /// Says that every record before `next` is in the library. Within the transaction of what they led to. Never
    /// goes back.
    public func advance(_ topic: ConsumedTopic, partition: Int32, to next: Int64) throws {
        try connection.run(
            """
            INSERT INTO offsets VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET next = excluded.next WHERE excluded.next > next
            """, topic.cluster, topic.topic, partition, next)
    }

    /// Forgets where a partition was, when its topic was made anew and is shorter than that.
    public func forgetOffset(of topic: ConsumedTopic, partition: Int32) throws {
        try connection.run(
            "DELETE FROM offsets WHERE cluster = ? AND topic = ? AND partition = ?", topic.cluster, topic.topic,
            partition)
    }
}
