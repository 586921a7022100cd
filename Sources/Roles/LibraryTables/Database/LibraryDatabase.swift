package import Database
package import Digest
internal import Manifests

/// The connection to a library's database, through which tables and queries run their SQL. Not thread-safe.
package final class LibraryDatabase {
    package let folder: String
    /// Number of rolled-back transactions, for caches of written rows.
    private(set) var rollbackCount = 0
    package let isShared: Bool
    private let location: LibraryLocation
    private let connection: Connection
    private let assets: AssetNumbers

    /// Opens the database. A mode for writing creates it and updates its tables, which `LibraryUpdate` reports.
    ///
    /// - Parameter lock: required for writing.
    package init(
        folder: String, mode: LibraryMode, part: LibraryLocation.Part = .library, lock: LibraryLock? = nil
    ) throws {
        self.folder = folder
        isShared = lock?.isShared ?? false
        location = try LibraryLocation(library: folder) ?? .file
        connection = try LibraryError.wrapping(folder) { [location] in
            let connection = try location.open(
                part, of: folder, mode: mode == .read ? .readOnly : .readWrite, lock: lock?.server)
            switch mode {
            case .write, .change, .share, .visit: try Self.update(connection, folder)
            case .read: try Self.checkVersion(connection, location, folder)
            }
            return connection
        }
        assets = AssetNumbers(connection, remembers: mode != .read)
    }

    private static func update(_ connection: Connection, _ folder: String) throws {
        var start: ContinuousClock.Instant?
        try connection.migrate(
            LibrarySchema.schema,
            onStart: { version in
                guard version > 0 else { return }
                start = .now
                LibraryUpdate.begins(folder: folder).tell()
            })
        if let start { LibraryUpdate.ended(folder: folder, after: .now - start).tell() }
    }

    private static func checkVersion(_ connection: Connection, _ location: LibraryLocation, _ folder: String) throws {
        let known = LibrarySchema.schema.version
        let version = try connection.schemaVersion
        if version > known { throw DatabaseError.newerSchema(connection.path, found: version, known: known) }
        if version == 0 {
            guard case .server(let address, let schema) = location else {
                throw LibraryError.notALibrary(folder: folder)
            }
            throw LibraryError.server(
                folder: folder,
                cause:
                    "\(address) has no tables in the schema \(schema). Put a backup back with `rawmill library restore`, or "
                    + "make them anew of the photos with `rawmill library rebuild`")
        }
        if version < known { throw LibraryError.older(folder: folder) }
    }

    /// True if rows are stored in the order of `rowid`, as only in a file.
    package var hasRowNumbers: Bool { !connection.isServers }

    /// Runs statements of one table or query. Errors of the database become `LibraryError`.
    package func perform<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        try LibraryError.wrapping(folder) { try body(connection) }
    }

    /// Runs `body` as one transaction: all of it is durable on return, or nothing is written.
    package func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        try perform { connection in
            do {
                return try connection.transaction {
                    assets.isInTransaction = true
                    defer { assets.isInTransaction = false }
                    return try body()
                }
            } catch {
                rollbackCount += 1
                assets.forget()
                throw error
            }
        }
    }

    package func turn<Value>(_ body: () throws -> Value) throws -> Value {
        try perform { connection in try connection.turn(body) }
    }

    // MARK: Assets

    /// The asset's number; 0 if it has none. No row has the number 0.
    package func number(of asset: SHA256Value) throws -> Int64 { try perform { _ in try assets.number(of: asset) } }

    package func numbers(of assets: some Sequence<SHA256Value>) throws -> [SHA256Value: Int64] {
        try perform { _ in try self.assets.numbers(of: assets) }
    }

    /// The asset's number, assigned if it has none. Within a transaction.
    package func giveNumber(to asset: SHA256Value) throws -> Int64 { try perform { _ in try assets.give(to: asset) } }

    /// The assets' numbers; missing ones are assigned in this order. Within a transaction.
    func giveNumbers(to assets: [SHA256Value]) throws -> [SHA256Value: Int64] {
        try perform { _ in try self.assets.give(to: assets) }
    }

    package func hasRow(_ sql: String, _ first: any Bindable, _ second: (any Bindable)? = nil) throws -> Bool {
        try perform { connection in
            guard let second else { return try connection.first(sql, first) { _ in true } ?? false }
            return try connection.first(sql, first, second) { _ in true } ?? false
        }
    }

    /// Replaces the library's tables with this database, in one step.
    ///
    /// - Parameter keepsOld: renames the old tables instead of removing them.
    /// - Returns: the place of the old tables, for messages; nil if removed.
    package func replaceLibrary(keepsOld: Bool) throws -> String? {
        try perform { connection in
            try location.replaceLibrary(of: folder, connection, keepsOld: keepsOld) ? location.keptPlace : nil
        }
    }
}
