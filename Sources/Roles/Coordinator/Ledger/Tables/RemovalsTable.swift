internal import Database

/// The table `removals`: records for the removals topic that are not known to be durable there.
public struct RemovalsTable {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    struct Entry: Hashable, Sendable {
        let number: Int64
        let record: [UInt8]
    }

    /// Stores a record until it is sent, within the transaction that ends its jobs.
    func insert(_ record: [UInt8]) throws { try connection.run("INSERT INTO removals(record) VALUES (?)", record) }

    func next(limit: Int) throws -> [Entry] {
        try connection.all("SELECT id, record FROM removals ORDER BY id LIMIT ?", limit) { row in
            Entry(number: row.integer(0), record: row.blob(1))
        }
    }

    func remove(through number: Int64) throws { try connection.run("DELETE FROM removals WHERE id <= ?", number) }

    /// Whether there is nothing to send.
    public var isEmpty: Bool {
        get throws { try connection.first("SELECT 1 FROM removals LIMIT 1") { _ in false } ?? true }
    }
}
