extension Connection {
    /// Migrates the database to the newest schema. The missing steps, their number and `filling` are one transaction,
    /// so that a new database waits for the disk only once.
    ///
    /// - Parameters:
    ///   - filling: inserts initial rows. Runs only if a step did.
    ///   - onStart: called before the first missing step, with the number of steps already done.
    /// - Throws: a `DatabaseError` of kind `newerSchema` if the database has more steps than the schema; the errors of
    ///   `filling`.
    public func migrate(
        _ schema: Schema, filling: () throws -> Void = {}, onStart: (_ version: Int) -> Void = { _ in }
    ) throws {
        let version = try schemaVersion
        guard version <= schema.version else {
            throw DatabaseError.newerSchema(path, found: version, known: schema.version)
        }
        guard version < schema.version else { return }
        try transaction {
            // Another process may have migrated the database in the meantime.
            let version = Int(try schemaVersion)
            guard version < schema.version else { return }
            onStart(version)
            try driver.migrate(schema, from: version)
            try driver.setSchemaVersion(schema.version)
            try filling()
        }
    }

    /// Migrates a schema that is never on a server.
    public func migrate(_ migrations: [Migration], filling: () throws -> Void = {}) throws {
        try migrate(Schema(migrations), filling: filling)
    }

    /// Number of steps applied; 0 for a new database.
    public var schemaVersion: Int64 { get throws(DatabaseError) { try driver.schemaVersion() } }
}
