internal import CSQLite
internal import Glibc

/// SQLite, which keeps a database in a file. Not thread-safe: used by one thread at a time.
final class SQLiteDriver: DatabaseDriver {
    private let handle: DatabaseHandle
    let needsTransaction = false

    // A file's one writer holds the lock of its folder, so that there are no turns to take.
    func takeTurn() {}
    func giveTurn() {}

    /// Opens the database, see `Connection`.
    init(
        path: String, mode: ConnectionMode, cacheBytes: Int? = nil, logBytes: Int? = nil
    ) throws(DatabaseError) {
        if mode == .readWrite, path != ":memory:" { Self.createFile(at: path) }
        handle = try Self.open(path, mode)
        handle.setBusyTimeout(milliseconds: 10_000)
        if mode == .readWrite { try useWriteAheadLog() }
        if mode == .readWrite {
            if let cacheBytes { try script("PRAGMA cache_size=-\(cacheBytes >> 10);") }
            if let logBytes { try script("PRAGMA wal_autocheckpoint=\(logBytes >> 12);") }
        }
        if mode == .temporary { try script("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA temp_store=FILE;") }
        // Room for the inner pages of a library of a few million photos: a listing looks up each photo at any place.
        if mode == .readOnly || mode == .readAtRest { try script("PRAGMA cache_size=-16384;") }
        try script("PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF;")
    }

    /// SQLite makes its files with mode 0644, even where the umask lets a group write. A file that exists keeps its mode,
    /// and the log's files take it over. No descriptor is opened: closing one would drop the locks of other connections of
    /// this process. Where this fails SQLite makes the file, or says why it cannot.
    private static func createFile(at path: String) { _ = unsafe mknod(path, S_IFREG | 0o666, 0) }

    private static func open(_ path: String, _ mode: ConnectionMode) throws(DatabaseError) -> DatabaseHandle {
        switch mode {
        case .readWrite, .temporary:
            return try DatabaseHandle(path: path, name: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        case .readAtRest: return try atRest(path)
        case .readOnly:
            guard UnwritableDatabase.isNeeded(for: path) else {
                try rollBackCutOff(path)
                return try DatabaseHandle(path: path, name: path, flags: SQLITE_OPEN_READONLY)
            }
            return try UnwritableDatabase.isUnsettled(path) ? UnwritableDatabase.copied(path) : atRest(path)
        }
    }

    /// Undoes a transaction that a process which died left half done in the file itself, as a database's first is, which gives it
    /// its log. Who may only read could not.
    private static func rollBackCutOff(_ path: String) throws(DatabaseError) {
        guard UnwritableDatabase.hasContent(path + "-journal") else { return }
        let handle = try DatabaseHandle(path: path, name: path, flags: SQLITE_OPEN_READWRITE)
        handle.setBusyTimeout(milliseconds: 10_000)
        try handle.execute("SELECT count(*) FROM sqlite_master;")
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

    // MARK: Statements

    func script(_ sql: String) throws(DatabaseError) { try handle.execute(sql) }

    func prepare(_ sql: String, isKept: Bool) throws(DatabaseError) -> any DriverStatement { try handle.prepare(sql) }

    func prepareForMany(_ sql: String) -> (any ManyRowsStatement)? { nil }

    func insert(_ rows: [[DatabaseValue]], into table: String, columns: [String]) throws(DatabaseError) {
        let values = columns.map { _ in "?" }.joined(separator: ", ")
        let statement = try handle.prepare(
            "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(values))")
        for row in rows {
            try statement.bind(row)
            _ = try statement.step()
            statement.giveBack()
        }
    }

    // MARK: Transactions

    func begin() throws(DatabaseError) { try handle.execute("BEGIN IMMEDIATE") }

    func beginReading() throws(DatabaseError) { try handle.execute("BEGIN") }

    func commit() throws(DatabaseError) { try handle.execute("COMMIT") }

    /// A failed COMMIT (a full disk) may have rolled back already. Then this fails, which does no harm.
    func rollback() { try? handle.execute("ROLLBACK") }

    // MARK: Schema

    func schemaVersion() throws(DatabaseError) -> Int64 {
        let statement = try handle.prepare("PRAGMA user_version")
        return try statement.step() ? statement.integer(0) : 0
    }

    func setSchemaVersion(_ version: Int) throws(DatabaseError) { try script("PRAGMA user_version = \(version)") }

    func migrate(_ schema: Schema, from version: Int) throws(DatabaseError) {
        for migration in schema.migrations.dropFirst(version) { try script(migration.sql) }
    }
}
