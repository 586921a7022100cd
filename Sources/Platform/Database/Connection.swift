internal import Glibc
internal import CSQLite

/// One connection to a SQLite database. Not thread-safe: whoever holds it uses it from one thread at a time.
public final class Connection {
    let handle: OpaquePointer
    public let path: String
    /// Prepared statements by their text, so that a loop prepares once.
    private var prepared: [String: Statement] = [:]

    public enum Mode: Sendable {
        case readWrite, readOnly
        /// Reads a database that no process writes, and creates no file beside it (a write-ahead log's companions).
        case readAtRest
        /// A private database for what does not fit in memory; its path is empty. SQLite puts it into `$TMPDIR` or
        /// `/var/tmp` once it outgrows the page cache, and removes it when it is closed. It has no journal: a failed
        /// transaction leaves it damaged.
        case temporary
    }

    /// Opens (and creates, for `.readWrite`) the database: write-ahead log, `synchronous=FULL`, so that what was
    /// committed survives a power cut; foreign keys on; waits 10 s for another writer.
    public init(path: String, mode: Mode = .readWrite) throws(DatabaseError) {
        let flags =
            switch mode {
            case .readWrite, .temporary: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .readOnly: SQLITE_OPEN_READONLY
            case .readAtRest: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            }
        var handle: OpaquePointer?
        let name = mode == .readAtRest ? Self.atRest(path) : path
        let code = sqlite3_open_v2(name, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let handle else {
            sqlite3_close_v2(handle)
            throw DatabaseError(code: code, message: "could not be opened", database: path, statement: nil)
        }
        self.handle = handle
        self.path = path
        sqlite3_busy_timeout(handle, 10_000)
        if mode == .readWrite { try keepLog() }
        if mode == .temporary { try script("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA temp_store=FILE;") }
        try script("PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF;")
    }

    /// Turns to a write-ahead log. Where several turn to a new database at once, SQLite refuses all but one at once,
    /// without the wait it grants otherwise.
    private func keepLog() throws(DatabaseError) {
        for _ in 0..<500 {
            do {
                return try script("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;")
            } catch  where error.kind == .busy {
                usleep(20_000)
            }
        }
        try script("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;")
    }

    deinit {
        prepared.removeAll()
        sqlite3_close_v2(handle)
    }

    /// The path as a URI that tells SQLite the file does not change. What a URI gives a meaning of its own is escaped.
    private static func atRest(_ path: String) -> String {
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

    /// Runs statements that return nothing and take nothing.
    public func script(_ sql: String) throws(DatabaseError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, sql) }
    }

    /// Runs one statement that returns no rows. Answers how many rows it changed.
    @discardableResult
    public func run(_ sql: String, _ values: any Bindable...) throws(DatabaseError) -> Int {
        let statement = try borrow(sql)
        defer { statement.giveBack() }
        try statement.bind(values)
        while try statement.step() {}
        return Int(sqlite3_changes64(handle))
    }

    /// Hands each row to `body`, in order, holding one at a time.
    public func each(
        _ sql: String, _ values: any Bindable..., body: (borrowing Row) throws -> Void
    ) throws {
        try walk(sql, values) { row in
            try body(row)
            return true
        }
    }

    /// Hands rows to `body`, in order, until it answers false or there are no more.
    public func walk(
        _ sql: String, _ values: any Bindable..., while body: (borrowing Row) throws -> Bool
    ) throws {
        try walk(sql, values, while: body)
    }

    /// All rows, as values made by `make`. For results known to be small.
    public func all<Value>(
        _ sql: String, _ values: any Bindable..., make: (borrowing Row) throws -> Value
    ) throws -> [Value] {
        var found: [Value] = []
        try walk(sql, values) { row in
            found.append(try make(row))
            return true
        }
        return found
    }

    /// The first row, or nil.
    public func first<Value>(
        _ sql: String, _ values: any Bindable..., make: (borrowing Row) throws -> Value
    ) throws -> Value? {
        let statement = try borrow(sql)
        defer { statement.giveBack() }
        try statement.bind(values)
        return try statement.step() ? make(Row(statement: statement)) : nil
    }

    /// The row id of the last insertion on this connection.
    public var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    private func walk(
        _ sql: String, _ values: [any Bindable], while body: (borrowing Row) throws -> Bool
    ) throws {
        let statement = try borrow(sql)
        defer { statement.giveBack() }
        try statement.bind(values)
        while try statement.step(), try body(Row(statement: statement)) {}
    }

    /// The statement of that text; a new one while a loop over the rows of the known one runs the same text again.
    private func borrow(_ sql: String) throws(DatabaseError) -> Statement {
        if let known = prepared[sql], known.borrow() { return known }
        let statement = try Statement(connection: self, sql: sql)
        _ = statement.borrow()
        prepared[sql] = statement
        return statement
    }

    func error(_ code: Int32, _ sql: String?) -> DatabaseError {
        DatabaseError(code: code, message: String(cString: sqlite3_errmsg(handle)), database: path, statement: sql)
    }
}
