internal import Broker
internal import Database

/// The tables `offsets`, `result_offsets`, `sent_offsets`, `control_offsets` and `cluster`: how far topics were read
/// and sent, and in which cluster. Every function returns offsets by partition, each of the next record.
public struct TopicOffsets {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    // MARK: Results

    /// Where to continue reading the results topic.
    public func results() throws -> [Int32: Int64] {
        try Self.dictionary(connection.all("SELECT partition, next FROM result_offsets", make: Self.pair))
    }

    /// Notes how far the results topic was read. Part of the transaction that stores what was read.
    func noteResults(_ offsets: [Int32: Int64]) throws { try note(offsets, in: "result_offsets") }

    /// The offsets of the manifests topic before which the cataloguer's word about every manifest was read.
    public func answered() throws -> [Int32: Int64] {
        try Self.dictionary(connection.all("SELECT partition, next FROM offsets", make: Self.pair))
    }

    /// Notes how far the cataloguer has answered the manifests topic. A library that was rebuilt may answer once more, so
    /// that the offset goes back for a while; its manifests are not lost.
    func noteAnswered(_ offsets: [Int32: Int64]) throws { try note(offsets, in: "offsets") }

    private func note(_ offsets: [Int32: Int64], in table: String) throws {
        for (partition, next) in offsets {
            try connection.run(
                """
                INSERT INTO \(table) VALUES (?, ?)
                ON CONFLICT(partition) DO UPDATE SET next = excluded.next
                """, partition, next)
        }
    }

    // MARK: Control

    /// How far a cluster's control topic was read. Each cluster has its own offsets, so that a ledger that returns to a
    /// cluster does not repeat old commands.
    public func control(of cluster: String) throws -> [Int32: Int64] {
        try Self.dictionary(
            connection.all(
                "SELECT partition, next FROM control_offsets WHERE cluster = ?", cluster, make: Self.pair))
    }

    func noteControl(of cluster: String, partition: Int32, next: Int64) throws {
        try connection.run(
            """
            INSERT INTO control_offsets VALUES (?, ?, ?)
                ON CONFLICT(cluster, partition) DO UPDATE SET next = excluded.next
            """, cluster, partition, next)
    }

    // MARK: Jobs

    /// The offsets below which every job in a jobs topic is marked as sent. Partitions without one are not known.
    func sent(in topic: String) throws -> [Int32: Int64] {
        try Self.dictionary(
            connection.all("SELECT partition, next FROM sent_offsets WHERE topic = ?", topic, make: Self.pair))
    }

    /// Notes that all records up to these positions are marked as sent. Part of the transaction that marks them.
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

    /// Switches to another cluster, in one transaction: no offset of manifests, results and jobs is valid any
    /// more. All published jobs must be back in the outbox before.
    func switchCluster(to cluster: String) throws {
        try connection.transaction {
            try connection.script("DELETE FROM offsets; DELETE FROM result_offsets; DELETE FROM sent_offsets")
            try connection.run(
                "INSERT INTO cluster VALUES (1, ?) ON CONFLICT(one) DO UPDATE SET id = excluded.id", cluster)
        }
    }

    private static func pair(_ row: borrowing Row) -> (Int32, Int64) {
        (Int32(clamping: row.integer(0)), row.integer(1))
    }

    private static func dictionary(_ pairs: [(Int32, Int64)]) -> [Int32: Int64] {
        Dictionary(pairs) { _, last in last }
    }
}
