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
