internal import Database

/// The broker's tables, with a cache of the data that every call needs. All methods block: call them on the broker's
/// thread.
final class BrokerStore {
    let connection: Connection
    let clusterID: String
    var topics: [String: Topic] = [:]
    var partitions: [TopicPartition: PartitionState] = [:]
    /// By group, then by partition: the offset of the first record that the group has not finished.
    var committed: [String: [TopicPartition: Int64]] = [:]

    init(path: String) throws {
        connection = try Connection(path: path)
        try connection.migrate(BrokerSchema.migrations) { [connection] in _ = try Self.clusterID(connection) }
        clusterID = try Self.clusterID(connection)
        try load()
    }

    private static func clusterID(_ connection: Connection) throws -> String {
        if let id = try connection.first("SELECT id FROM clusters", make: { $0.text(0) }) { return id }
        var random = SystemRandomNumberGenerator()
        let id = [random.next(), random.next()].map { (half: UInt64) in String(half, radix: 36) }.joined(separator: "-")
        try connection.run("INSERT INTO clusters (id) VALUES (?)", id)
        return id
    }

    private func load() throws {
        var names: [Int64: TopicPartition] = [:]
        try connection.each(
            """
            SELECT id, topic, partition, next_offset, retention, largest_bytes
            FROM partitions JOIN topics ON name = topic
            """
        ) { row in
            let partition = TopicPartition(topic: row.text(1), partition: Int32(clamping: row.integer(2)))
            // If the retention is unknown, keep all records.
            let retention = Topic.Retention(name: row.text(4)) ?? .forever
            names[row.integer(0)] = partition
            partitions[partition] = PartitionState(
                id: row.integer(0), retention: retention, first: 0, next: row.integer(3))
            topics[partition.topic] = Topic(
                name: partition.topic, partitions: (topics[partition.topic]?.partitions ?? 0) + 1,
                retention: retention, maxRecordBytes: Int(row.integer(5)))
        }
        for (partition, state) in partitions { partitions[partition]?.first = try oldest(state) }
        try connection.each("SELECT consumer_group, partition_id, next_offset FROM committed") { row in
            guard let partition = names[row.integer(1)] else { return }
            committed[row.text(0), default: [:]][partition] = row.integer(2)
        }
    }

    func oldest(_ state: PartitionState) throws -> Int64 {
        try connection.first(
            "SELECT place FROM records WHERE place >= ? AND place < ? ORDER BY place LIMIT 1",
            state.recordKey(0), state.endKey
        ) { PartitionState.offset(ofRecordKey: $0.integer(0)) } ?? state.next
    }

    /// Runs `body` as one transaction. On failure, restores the state in memory too.
    func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        let before = (topics, partitions, committed)
        do {
            return try connection.transaction(body)
        } catch {
            (topics, partitions, committed) = before
            throw error
        }
    }

    func create(_ requested: [Topic]) throws {
        try transaction {
            for topic in requested where topics[topic.name] == nil {
                try connection.run(
                    "INSERT INTO topics (name, retention, largest_bytes) VALUES (?, ?, ?)",
                    topic.name, topic.retention.name, topic.maxRecordBytes)
                let count = max(1, topic.partitions)
                for partition in 0..<count {
                    let id = try connection.insert(
                        "INSERT INTO partitions (topic, partition, next_offset) VALUES (?, ?, 0)", topic.name, partition
                    )
                    partitions[TopicPartition(topic: topic.name, partition: partition)] = PartitionState(
                        id: id, retention: topic.retention, first: 0, next: 0)
                }
                topics[topic.name] = Topic(
                    name: topic.name, partitions: count, retention: topic.retention,
                    maxRecordBytes: topic.maxRecordBytes)
            }
        }
    }

    func state(_ partition: TopicPartition) throws(BrokerError) -> PartitionState {
        guard let state = partitions[partition] else { throw .unknownTopic(partition.topic) }
        return state
    }
}
