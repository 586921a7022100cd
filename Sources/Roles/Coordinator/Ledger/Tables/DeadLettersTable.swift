internal import Broker
internal import Database

/// The table `dead_letters`: dead letters of jobs that the ledger itself ended, until they are known to be in their
/// topic.
struct DeadLettersTable {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    struct Entry: Hashable, Sendable {
        let number: Int64
        let key: [UInt8]
        let value: [UInt8]
        let traceparent: String?
        /// The topic's end before the letter was first sent; nil if it never was.
        let sentFrom: Int64?
    }

    func insert(key: [UInt8], value: [UInt8], traceparent: String?) throws {
        try connection.run(
            "INSERT INTO dead_letters(key, value, traceparent) VALUES (?, ?, ?)", key, value, traceparent)
    }

    func next(limit: Int) throws -> [Entry] {
        try connection.all(
            "SELECT id, key, value, traceparent, sent_from FROM dead_letters ORDER BY id LIMIT ?", limit
        ) { row in
            Entry(
                number: row.integer(0), key: row.blob(1), value: row.blob(2),
                traceparent: row.isNull(3) ? nil : row.text(3), sentFrom: row.isNull(4) ? nil : row.integer(4))
        }
    }

    /// Stores that the letters up to a number are about to be sent, and the topic's end before that.
    func noteSending(through number: Int64, after end: Int64) throws {
        try connection.run(
            "UPDATE dead_letters SET sent_from = ? WHERE id <= ? AND sent_from IS NULL", end, number)
    }

    func remove(_ numbers: [Int64]) throws {
        try connection.transaction {
            for number in numbers { try connection.run("DELETE FROM dead_letters WHERE id = ?", number) }
        }
    }

    var isEmpty: Bool {
        get throws { try connection.first("SELECT 1 FROM dead_letters LIMIT 1") { _ in false } ?? true }
    }
}
