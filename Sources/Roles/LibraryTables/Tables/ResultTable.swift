internal import Database

/// The table `results`: results of manifests until they are durable in the results topic.
///
/// A result is written in the transaction of its manifest and published after the commit. A process that is killed in
/// between publishes it at its next start: no result is lost, and one may be published twice. Functions throw
/// `LibraryError`.
public struct ResultTable {
    private let database: LibraryDatabase

    init(_ database: LibraryDatabase) { self.database = database }

    /// A waiting record.
    public struct Entry: Sendable {
        /// The number, in the order of writing, never reused.
        public let number: Int64
        /// The record for the results topic.
        public let record: [UInt8]
    }

    /// Adds a record, within the transaction of its manifests.
    public func insert(_ record: [UInt8]) throws {
        try database.perform { _ = try $0.run("INSERT INTO results (record) VALUES (?)", record) }
    }

    /// The oldest records after a number; 0 starts at the first.
    public func next(after number: Int64 = 0, limit: Int) throws -> [Entry] {
        try database.perform { connection in
            try connection.all("SELECT id, record FROM results WHERE id > ? ORDER BY id LIMIT ?", number, limit) {
                Entry(number: $0.integer(0), record: $0.blob(1))
            }
        }
    }

    /// Deletes the records up to a number, once they are durable in the topic.
    public func remove(through number: Int64) throws {
        try database.perform { _ = try $0.run("DELETE FROM results WHERE id <= ?", number) }
    }

    // MARK: Precedence

    /// The highest precedence of any rendition ever merged.
    public func highestPrecedence() throws -> Int64 {
        try database.perform { try $0.first("SELECT highest FROM precedence") { $0.integer(0) } ?? 0 }
    }

    /// Raises the highest precedence, within the transaction of the renditions that have it.
    public func raisePrecedence(to highest: Int64) throws {
        try database.perform { _ = try $0.run("UPDATE precedence SET highest = ?1 WHERE highest < ?1", highest) }
    }
}
