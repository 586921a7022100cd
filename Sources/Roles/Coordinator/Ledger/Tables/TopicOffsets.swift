public import Broker
internal import Database

/// The tables `offsets`, `result_offsets`, `sent_offsets`, `control_offsets` and `cluster`: positions in read and sent
/// topics, and their cluster. Every function returns the offset of the next record by partition.
public struct TopicOffsets {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    // MARK: Results

    /// Where to continue reading the results topic.
    public func results() throws -> [Int32: Int64] {
        try Self.dictionary(connection.all("SELECT partition, next FROM result_offsets", make: Self.pair))
    }

    /// Position in the results topic, with a record to recognise the topic.
    ///
    /// - Parameter cluster: the one that the ledger knows.
    public func resultsPosition(of cluster: String) throws -> StoredPosition {
        try Self.position(
            of: cluster,
            connection.all("SELECT partition, next, known_offset, known_ms FROM result_offsets", make: Self.consumed))
    }

    /// Stores the position in the results topic, within the transaction that stores the results. `known` holds a record
    /// that was read, by partition; it is stored unless there is one.
    func noteResults(_ offsets: [Int32: Int64], known: [Int32: KnownRecord] = [:]) throws {
        try note(offsets, in: "result_offsets")
        for (partition, record) in known {
            try connection.run(
                """
                UPDATE result_offsets SET known_offset = ?, known_ms = ? WHERE partition = ? AND known_offset IS NULL
                """, record.offset, record.timestampMilliseconds, partition)
        }
    }

    func applyToResults(_ changes: [Int32: KnownRecord.Finding]) throws {
        for (partition, finding) in changes {
            if finding == .other {
                try connection.run("DELETE FROM result_offsets WHERE partition = ?", partition)
            } else {
                try connection.run(
                    "UPDATE result_offsets SET known_offset = NULL, known_ms = NULL WHERE partition = ?", partition)
            }
        }
    }

    /// The offsets of the manifests topic below which the cataloguer's answers to all manifests were read.
    public func answered() throws -> [Int32: Int64] {
        try Self.dictionary(connection.all("SELECT partition, next FROM offsets", make: Self.pair))
    }

    /// Stores how far the cataloguer has answered the manifests topic. A rebuilt library may repeat answers, so that
    /// the offset goes back for a while without losing manifests.
    func noteAnswered(_ offsets: [Int32: Int64]) throws { try note(offsets, in: "offsets") }

    private func note(_ offsets: [Int32: Int64], in table: String) throws {
        for (partition, next) in offsets {
            try connection.run(
                """
                INSERT INTO \(table)(partition, next) VALUES (?, ?)
                ON CONFLICT(partition) DO UPDATE SET next = excluded.next
                """, partition, next)
        }
    }

    // MARK: Control

    /// Position in a cluster's control topic. Each cluster has separate offsets, so that a ledger that returns to a
    /// cluster does not repeat old commands.
    public func control(of cluster: String) throws -> [Int32: Int64] {
        try Self.dictionary(
            connection.all(
                "SELECT partition, next FROM control_offsets WHERE cluster = ?", cluster, make: Self.pair))
    }

    /// Position in a cluster's control topic, with a record to recognise the topic.
    public func controlPosition(of cluster: String) throws -> StoredPosition {
        try Self.position(
            of: cluster,
            connection.all(
                "SELECT partition, next, known_offset, known_ms FROM control_offsets WHERE cluster = ?", cluster,
                make: Self.consumed))
    }

    /// Stores that a record of the control topic was executed, and keeps it to recognise the topic, unless there is
    /// one.
    func noteControl(of cluster: String, partition: Int32, _ record: KnownRecord) throws {
        try connection.run(
            """
            INSERT INTO control_offsets(cluster, partition, next, known_offset, known_ms) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT(cluster, partition) DO UPDATE SET next = excluded.next,
                    known_ms = CASE WHEN control_offsets.known_offset IS NULL THEN excluded.known_ms
                        ELSE control_offsets.known_ms END,
                    known_offset = coalesce(control_offsets.known_offset, excluded.known_offset)
            """, cluster, partition, record.offset + 1, record.offset, record.timestampMilliseconds)
    }

    func applyToControl(of cluster: String, _ changes: [Int32: KnownRecord.Finding]) throws {
        for (partition, finding) in changes {
            if finding == .other {
                try connection.run(
                    "DELETE FROM control_offsets WHERE cluster = ? AND partition = ?", cluster, partition)
            } else {
                try connection.run(
                    """
                    UPDATE control_offsets SET known_offset = NULL, known_ms = NULL WHERE cluster = ? AND partition = ?
                    """, cluster, partition)
            }
        }
    }

    // MARK: Jobs

    /// The offsets below which every job in a jobs topic is marked as sent. Other partitions are unknown.
    func sent(in topic: String) throws -> [Int32: Int64] {
        try Self.dictionary(
            connection.all("SELECT partition, next FROM sent_offsets WHERE topic = ?", topic, make: Self.pair))
    }

    /// Stores that all records up to these positions are marked as sent. Part of the transaction that marks them.
    func noteSent(_ positions: [Position]) throws {
        let newest = Dictionary(positions.map { ($0.partition, $0.offset) }, uniquingKeysWith: max)
        for (partition, offset) in newest {
            try connection.run(
                """
                INSERT INTO sent_offsets VALUES (?, ?, ?)
                ON CONFLICT(topic, partition) DO UPDATE SET next = excluded.next
                """, partition.topic, partition.partition, offset + 1)
        }
    }

    // MARK: Cluster

    /// The cluster that all published jobs were sent to; nil before the first one.
    public func knownCluster() throws -> String? {
        try connection.first("SELECT id FROM cluster") { $0.text(0) }
    }

    /// Switches to another cluster, in one transaction: the offsets of manifests, results and jobs become invalid. All
    /// published jobs must be back in the outbox before.
    func switchCluster(to cluster: String) throws {
        try connection.transaction {
            try connection.script("DELETE FROM offsets; DELETE FROM result_offsets; DELETE FROM sent_offsets")
            try connection.run(
                "INSERT INTO cluster VALUES (1, ?) ON CONFLICT(one) DO UPDATE SET id = excluded.id", cluster)
        }
    }

    private typealias Consumed = (partition: Int32, next: Int64, known: KnownRecord?)

    private static func consumed(_ row: borrowing Row) -> Consumed {
        let known =
            row.isNull(2) ? nil : KnownRecord(offset: row.integer(2), timestampMilliseconds: row.integer(3))
        return (Int32(clamping: row.integer(0)), row.integer(1), known)
    }

    private static func position(of cluster: String, _ rows: [Consumed]) -> StoredPosition {
        rows.reduce(into: StoredPosition(cluster: cluster)) { position, row in
            position.next[row.partition] = row.next
            position.known[row.partition] = row.known
        }
    }

    private static func pair(_ row: borrowing Row) -> (Int32, Int64) {
        (Int32(clamping: row.integer(0)), row.integer(1))
    }

    private static func dictionary(_ pairs: [(Int32, Int64)]) -> [Int32: Int64] {
        Dictionary(pairs) { _, last in last }
    }
}
