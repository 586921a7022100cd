/// One step of a schema. Released steps never change.
public struct Migration: Sendable {
    /// Statements without parameters.
    public let sql: String
    /// The step in PostgreSQL's SQL; nil for steps older than server support.
    let onServer: String?

    /// Creates a step.
    ///
    /// - Parameter server: migrates a server's tables from the previous step.
    public init(_ sql: String, onServer server: String? = nil) {
        self.sql = sql
        onServer = server
    }
}

/// The tables of a database, as a sequence of steps.
public struct Schema: Sendable {
    let migrations: [Migration]
    /// The final tables in PostgreSQL's SQL; nil if never on a server.
    let onServer: String?

    /// Creates a schema. New server databases start from `server`, the tables after all steps in PostgreSQL's SQL.
    /// Further steps also need PostgreSQL's SQL, for existing servers.
    public init(_ migrations: [Migration], onServer server: String? = nil) {
        self.migrations = migrations
        onServer = server
    }

    /// Number of steps.
    public var version: Int { migrations.count }

    /// The first steps only, for SQLite.
    func upTo(_ version: Int) -> Schema { Schema(Array(migrations.prefix(version))) }
}
