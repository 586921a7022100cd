/// One step of a schema: never changed after its release, only followed by another.
public struct Migration: Sendable {
    public let sql: String

    public init(_ sql: String) { self.sql = sql }
}

extension Connection {
    /// Brings the schema to the newest step: the steps that are missing, their number (`user_version`) and `filling` in
    /// one transaction. A new database waits for the disk once.
    ///
    /// - Parameter filling: what a database has beside its schema from its first day on; runs where a step did.
    /// - Throws: an error of kind `newerSchema` where the database has more steps than `migrations`.
    public func migrate(_ migrations: [Migration], filling: () throws -> Void = {}) throws {
        let version = try schemaVersion
        guard version <= migrations.count else {
            throw DatabaseError.newerSchema(path, found: version, known: migrations.count)
        }
        guard version < migrations.count else { return }
        try transaction {
            // Somebody else may have opened the same new database, and been quicker.
            for migration in migrations.dropFirst(Int(try schemaVersion)) { try script(migration.sql) }
            try script("PRAGMA user_version = \(migrations.count)")
            try filling()
        }
    }

    private var schemaVersion: Int64 { get throws { try first("PRAGMA user_version") { $0.integer(0) } ?? 0 } }
}
