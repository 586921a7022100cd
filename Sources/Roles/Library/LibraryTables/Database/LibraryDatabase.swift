internal import Database
internal import Digest
internal import Manifests

/// The connection to a library's database. Tables and queries run their SQL through it; nothing outside of `Store` and
/// `Queries` sees SQL, a row, or SQLite.
///
/// Not thread-safe: used by one thread at a time.
final class LibraryDatabase {
    /// The library's folder, for errors.
    let folder: String
    /// How many transactions were rolled back. Caches of what was written compare it.
    private(set) var rollbackCount = 0
    /// Other processes write, too.
    let isShared: Bool
    private let location: LibraryLocation
    private let connection: Connection
    private let assets: AssetNumbers

    /// Opens the database; for writing, creates it and brings its tables up to date, and says so if there are some: see
    /// `LibraryUpdate`.
    ///
    /// - Parameters:
    ///   - folder: the library's folder.
    ///   - part: the library, or what will replace it.
    ///   - lock: needed for writing.
    /// - Throws: `LibraryError`.
    init(
        folder: String, mode: LibraryStore.Mode, part: LibraryLocation.Part = .library, lock: LibraryLock? = nil
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

    /// True where rows have numbers of their own, `rowid`, in whose order they lie: in a file.
    var hasRowNumbers: Bool { !connection.isServers }

    /// Runs statements of one table or query.
    ///
    /// - Throws: `LibraryError` for errors of the database; what `body` throws otherwise.
    func perform<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        try LibraryError.wrapping(folder) { try body(connection) }
    }

    /// Runs `body` as one transaction. All of it is durable on return; nothing of it is written if it throws.
    func transaction<Value>(_ body: () throws -> Value) throws -> Value {
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

    /// Runs `body` while no other process writes to the library.
    func turn<Value>(_ body: () throws -> Value) throws -> Value {
        try perform { connection in try connection.turn(body) }
    }

    // MARK: Assets

    /// The number by which rows name the asset; 0, which no row has, for one that has none.
    func number(of asset: SHA256Value) throws -> Int64 { try perform { _ in try assets.number(of: asset) } }

    /// The numbers of those of the assets that have one.
    func numbers(of assets: some Sequence<SHA256Value>) throws -> [SHA256Value: Int64] {
        try perform { _ in try self.assets.numbers(of: assets) }
    }

    /// The asset's number, which it is given if it has none. Within a transaction.
    func giveNumber(to asset: SHA256Value) throws -> Int64 { try perform { _ in try assets.give(to: asset) } }

    /// The assets' numbers, which they are given in this order if they have none. Within a transaction.
    func giveNumbers(to assets: [SHA256Value]) throws -> [SHA256Value: Int64] {
        try perform { _ in try self.assets.give(to: assets) }
    }

    /// True if the query has a row.
    func hasRow(_ sql: String, _ first: any Bindable, _ second: (any Bindable)? = nil) throws -> Bool {
        try perform { connection in
            guard let second else { return try connection.first(sql, first) { _ in true } ?? false }
            return try connection.first(sql, first, second) { _ in true } ?? false
        }
    }

    /// Puts the replacement, which this is the database of, in the library's place, in one step.
    ///
    /// - Parameter keepsOld: gives the old tables another name.
    /// - Returns: where they are kept, for people; nil if they are not.
    func replaceLibrary(keepsOld: Bool) throws -> String? {
        try perform { connection in
            try location.replaceLibrary(of: folder, connection, keepsOld: keepsOld) ? location.keptPlace : nil
        }
    }
}
