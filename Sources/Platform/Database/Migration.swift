/// One step of a schema. A released step never changes; a new one follows it.
public struct Migration: Sendable {
    /// Statements without parameters.
    public let sql: String

    /// A step that runs these statements.
    public init(_ sql: String) { self.sql = sql }
}

extension Connection {
    /// Brings the schema to its newest step. The missing steps, their number (`user_version`) and `filling` are one
    /// transaction, so that a new database waits for the disk once.
    ///
    /// - Parameters:
    ///   - migrations: all steps, from the first one on.
    ///   - filling: writes the rows that a database has from its first day on. It runs only if a step did.
    /// - Throws: a `DatabaseError` of kind `newerSchema` if the database has more steps than `migrations`; what
    ///   `filling` throws.
    public func migrate(_ migrations: [Migration], filling: () throws -> Void = {}) throws {
        let version = try schemaVersion
        guard version <= migrations.count else {
            throw DatabaseError.newerSchema(path, found: version, known: migrations.count)
        }
        guard version < migrations.count else { return }
        try transaction {
            // Another process may have opened the same new database and been quicker.
            for migration in migrations.dropFirst(Int(try schemaVersion)) { try script(migration.sql) }
            try script("PRAGMA user_version = \(migrations.count)")
            try filling()
        }
    }

    private var schemaVersion: Int64 { get throws { try first("PRAGMA user_version") { $0.integer(0) } ?? 0 } }
}
