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

extension Connection {
    /// Brings the schema to its newest step. The missing steps, their number and `filling` are one transaction, so that a
    /// new database waits for the disk once.
    ///
    /// - Parameters:
    ///   - filling: writes the rows that a database has from its first day on. It runs only if a step did.
    ///   - onStart: called before the first of the steps that are missing, with the number of those that were done.
    /// - Throws: a `DatabaseError` of kind `newerSchema` if the database has more steps than the schema; what
    ///   `filling` throws.
    public func migrate(
        _ schema: Schema, filling: () throws -> Void = {}, onStart: (_ version: Int) -> Void = { _ in }
    ) throws {
        let version = try schemaVersion
        guard version <= schema.version else {
            throw DatabaseError.newerSchema(path, found: version, known: schema.version)
        }
        guard version < schema.version else { return }
        try transaction {
            // Another process may have opened the same new database and been quicker.
            let version = Int(try schemaVersion)
            guard version < schema.version else { return }
            onStart(version)
            try driver.migrate(schema, from: version)
            try driver.setSchemaVersion(schema.version)
            try filling()
        }
    }

    /// `migrate` for a schema that is never on a server.
    public func migrate(_ migrations: [Migration], filling: () throws -> Void = {}) throws {
        try migrate(Schema(migrations), filling: filling)
    }

    /// How many steps the database has had; 0 for a new one.
    public var schemaVersion: Int64 { get throws(DatabaseError) { try driver.schemaVersion() } }
}
