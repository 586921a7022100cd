/// One step of a schema. A released step never changes; a new one follows it.
public struct Migration: Sendable {
    /// Statements without parameters.
    public let sql: String
    /// The same in PostgreSQL's words; nil for a step from before the tables could be on a server, which begins with them.
    let onServer: String?

    /// A step that runs these statements.
    ///
    /// - Parameter server: what brings a server's tables there that the step before it left.
    public init(_ sql: String, onServer server: String? = nil) {
        self.sql = sql
        onServer = server
    }
}

/// The tables of a database, as steps.
public struct Schema: Sendable {
    /// All steps in SQLite's words, from the first one on.
    let migrations: [Migration]
    /// The tables as all steps leave them, in PostgreSQL's words; nil if the tables are never on a server.
    let onServer: String?

    /// A schema of steps.
    ///
    /// - Parameter server: the tables as all steps leave them, in PostgreSQL's words. A server's database begins with them.
    ///   A further step needs PostgreSQL's words of its own, for servers with earlier tables.
    public init(_ migrations: [Migration], onServer server: String? = nil) {
        self.migrations = migrations
        onServer = server
    }

    /// The number of steps.
    public var version: Int { migrations.count }

    /// The tables as they were after so many steps, in SQLite's words.
    func upTo(_ version: Int) -> Schema { Schema(Array(migrations.prefix(version))) }
}
