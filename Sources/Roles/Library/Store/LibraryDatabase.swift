internal import Database
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
    private let connection: Connection

    /// Opens the database; for writing, creates it and brings its tables up to date.
    ///
    /// - Parameters:
    ///   - folder: the library's folder.
    ///   - name: the file's name in the folder.
    /// - Throws: `LibraryError`.
    init(folder: String, mode: LibraryStore.Mode, name: String = LibraryLayout.database) throws {
        self.folder = folder
        connection = try LibraryError.wrapping(folder) {
            let connection = try Connection(path: "\(folder)/\(name)", mode: mode == .read ? .readOnly : .readWrite)
            switch mode {
            case .write, .change: try connection.migrate(LibrarySchema.schema)
            case .read: try Self.checkVersion(connection, folder)
            }
            return connection
        }
    }

    private static func checkVersion(_ connection: Connection, _ folder: String) throws {
        let known = LibrarySchema.schema.version
        let version = try connection.schemaVersion
        if version > known { throw DatabaseError.newerSchema(connection.path, found: version, known: known) }
        if version == 0 { throw LibraryError.notALibrary(folder: folder) }
        if version < known { throw LibraryError.older(folder: folder) }
    }

    /// Runs statements of one table or query.
    ///
    /// - Throws: `LibraryError` for errors of the database; what `body` throws otherwise.
    func perform<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        try LibraryError.wrapping(folder) { try body(connection) }
    }

    /// Runs `body` as one transaction. All of it is durable on return; nothing of it is written if it throws.
    func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        try perform { connection in
            do { return try connection.transaction(body) } catch {
                rollbackCount += 1
                throw error
            }
        }
    }

    /// True if the query has a row.
    func hasRow(_ sql: String, _ first: any Bindable, _ second: (any Bindable)? = nil) throws -> Bool {
        try perform { connection in
            guard let second else { return try connection.first(sql, first) { _ in true } ?? false }
            return try connection.first(sql, first, second) { _ in true } ?? false
        }
    }

    /// Moves the write-ahead log's contents into the database file, as far as its readers allow.
    func checkpoint() throws { try perform { try $0.each("PRAGMA wal_checkpoint(TRUNCATE)") { _ in } } }

    /// Turns the write-ahead log off, so that the database is one file, which can be moved.
    func leaveAtRest() throws {
        try checkpoint()
        try perform { try $0.script("PRAGMA journal_mode=DELETE") }
    }
}
