internal import CSQLite
internal import Glibc

/// A connection to a SQLite database. Not thread-safe: used by one thread at a time.
public final class Connection {
    /// The database's path as the caller gave it.
    public let path: String
    private let handle: DatabaseHandle
    /// Prepared statements by their text, so that a loop prepares only once.
    private var prepared: [String: Statement] = [:]

    /// What a connection is opened for.
    public enum Mode: Sendable {
        /// Reads and writes; creates the database if there is none.
        case readWrite
        /// Reads a database that other connections may write. Works in a folder that cannot be written too: SQLite needs
        /// files beside a database with a write-ahead log, so that such a database is read at rest, or from a copy
        /// if its log holds anything.
        case readOnly
        /// Reads a database that no process writes, and creates no file beside it, such as a write-ahead log's.
        case readAtRest
        /// A private database for what does not fit in memory; its path is empty. SQLite puts it into `$TMPDIR` or
        /// `/var/tmp` once it outgrows the page cache, and removes it when it is closed. It has no journal: a failed
        /// transaction leaves it damaged.
        case temporary
    }

    /// Opens the database. A commit in mode `readWrite` survives a power cut: the connection uses a write-ahead log and
    /// `synchronous=FULL`. Foreign keys are on, and a statement waits up to 10 s for another writer.
    public init(path: String, mode: Mode = .readWrite) throws(DatabaseError) {
        self.path = path
        if mode == .readWrite, path != ":memory:" { Self.createFile(at: path) }
        handle = try Self.open(path, mode)
        handle.setBusyTimeout(milliseconds: 10_000)
        if mode == .readWrite { try useWriteAheadLog() }
        if mode == .temporary { try script("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA temp_store=FILE;") }
        try script("PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF;")
    }

    /// SQLite makes its files with mode 0644, even where the umask lets a group write. A file that exists keeps its mode,
    /// and the log's files take it over. No descriptor is opened: closing one would drop the locks of other connections of
    /// this process. Where this fails SQLite makes the file, or says why it cannot.
    private static func createFile(at path: String) { _ = unsafe mknod(path, S_IFREG | 0o666, 0) }

    deinit {
        // Before the handle closes, so that the database really closes with it.
        prepared.removeAll()
    }

    private static func open(_ path: String, _ mode: Mode) throws(DatabaseError) -> DatabaseHandle {
        switch mode {
        case .readWrite, .temporary:
            return try DatabaseHandle(path: path, name: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        case .readAtRest: return try atRest(path)
        case .readOnly:
            guard UnwritableDatabase.isNeeded(for: path) else {
                return try DatabaseHandle(path: path, name: path, flags: SQLITE_OPEN_READONLY)
            }
            return try UnwritableDatabase.hasLog(path) ? UnwritableDatabase.copied(path) : atRest(path)
        }
    }

    private static func atRest(_ path: String) throws(DatabaseError) -> DatabaseHandle {
        try DatabaseHandle(path: path, name: immutableURI(of: path), flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
    }

    /// If several connections change a new database to a write-ahead log at the same time, SQLite refuses all but one
    /// immediately, without its usual wait: they try again, 500 times in 10 s.
    private func useWriteAheadLog() throws(DatabaseError) {
        let sql = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
        for _ in 0..<500 {
            do {
                return try script(sql)
            } catch  where error.kind == .busy {
                usleep(20_000)
            }
        }
        try script(sql)
    }

    /// The path as a URI that tells SQLite that the file does not change. Characters with a meaning in a URI are
    /// escaped.
    private static func immutableURI(of path: String) -> String {
        let escaped = path.unicodeScalars.map { scalar in
            switch scalar {
            case "%": "%25"
            case "?": "%3f"
            case "#": "%23"
            default: String(scalar)
            }
        }
        return "file:" + escaped.joined() + "?immutable=1"
    }

    // MARK: Writing

    /// Runs statements without parameters and results.
    public func script(_ sql: String) throws(DatabaseError) { try handle.execute(sql) }

    /// Runs one statement that returns no rows.
    ///
    /// - Parameter values: one for each `?`.
    /// - Returns: the number of rows that it changed.
    @discardableResult
    public func run(_ sql: String, _ values: any Bindable...) throws(DatabaseError) -> Int {
        let statement = try borrow(sql)
        defer { statement.giveBack() }
        try statement.bind(values)
        while try statement.step() {}
        return handle.changedRowCount
    }

    /// The row id of the last insertion on this connection.
    public var lastInsertedRow: Int64 { handle.lastInsertedRow }

    // MARK: Reading

    /// Calls `body` with each row, in order. Memory holds one row at a time.
    ///
    /// - Throws: `DatabaseError`; what `body` throws.
    public func each(
        _ sql: String, _ values: any Bindable..., body: (borrowing Row) throws -> Void
    ) throws {
        try walk(sql, values) { row in
            try body(row)
            return true
        }
    }

    /// Calls `body` with each row, in order, of a statement that is made for this once and is not kept prepared.
    ///
    /// - Parameter values: one for each `?`.
    /// - Throws: `DatabaseError`; what `body` throws.
    public func each(_ sql: String, values: [DatabaseValue], body: (borrowing Row) throws -> Void) throws {
        let statement = try handle.prepare(sql)
        try statement.bind(values)
        while try statement.step() { try body(Row(of: statement)) }
    }

    /// Calls `body` with one row after another, until it returns false or there are no more.
    ///
    /// - Throws: `DatabaseError`; what `body` throws.
    public func walk(
        _ sql: String, _ values: any Bindable..., while body: (borrowing Row) throws -> Bool
    ) throws {
        try walk(sql, values, while: body)
    }

    /// All rows, as values that `make` makes. For results that are known to be small.
    ///
    /// - Throws: `DatabaseError`; what `make` throws.
    public func all<Value>(
        _ sql: String, _ values: any Bindable..., make: (borrowing Row) throws -> Value
    ) throws -> [Value] {
        var all: [Value] = []
        try walk(sql, values) { row in
            all.append(try make(row))
            return true
        }
        return all
    }

    /// The first row, as a value that `make` makes; nil if there is none.
    ///
    /// - Throws: `DatabaseError`; what `make` throws.
    public func first<Value>(
        _ sql: String, _ values: any Bindable..., make: (borrowing Row) throws -> Value
    ) throws -> Value? {
        let statement = try borrow(sql)
        defer { statement.giveBack() }
        try statement.bind(values)
        return try statement.step() ? make(Row(of: statement)) : nil
    }

    private func walk(
        _ sql: String, _ values: [any Bindable], while body: (borrowing Row) throws -> Bool
    ) throws {
        let statement = try borrow(sql)
        defer { statement.giveBack() }
        try statement.bind(values)
        while try statement.step(), try body(Row(of: statement)) {}
    }

    /// The prepared statement with that text. A loop over its rows may run the same text again, and gets a new one.
    private func borrow(_ sql: String) throws(DatabaseError) -> Statement {
        if let known = prepared[sql], known.lend() { return known }
        let statement = try handle.prepare(sql)
        _ = statement.lend()
        prepared[sql] = statement
        return statement
    }
}
