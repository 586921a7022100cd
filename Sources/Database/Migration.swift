/// One step of a schema: never changed after its release, only followed by another.
public struct Migration: Sendable {
    public let sql: String

    public init(_ sql: String) { self.sql = sql }
}

extension Connection {
    /// Brings the schema to the newest step; each step and its number (`user_version`) in one transaction.
    ///
    /// - Throws: an error of kind `newerSchema` where the database has more steps than `migrations`.
    public func migrate(_ migrations: [Migration]) throws {
        let version = try schemaVersion
        guard version <= migrations.count else {
            throw DatabaseError.newerSchema(path, found: version, known: migrations.count)
        }
        for (index, migration) in migrations.enumerated().dropFirst(Int(version)) {
            try transaction {
                // Somebody else may have opened the same new database, and been quicker.
                guard try schemaVersion <= index else { return }
                try script(migration.sql)
                try script("PRAGMA user_version = \(index + 1)")
            }
        }
    }

    private var schemaVersion: Int64 { get throws { try first("PRAGMA user_version") { $0.integer(0) } ?? 0 } }
}
