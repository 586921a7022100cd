internal import CSQLite
internal import Glibc

final class SQLiteDriver: DatabaseDriver {
    private let handle: DatabaseHandle
    let needsTransaction = false

    // A file's only writer holds its folder's lock, so there are no turns to take.
    func takeTurn() {}
    func giveTurn() {}

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
        // Caches the inner pages of a few million photos, because a listing looks up photos all over the database.
        if mode == .readOnly || mode == .readAtRest { try script("PRAGMA cache_size=-16384;") }
        try script("PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF;")
    }

    /// SQLite creates files with mode 0644, even if the umask allows group writes. Existing files keep their mode, and
    /// the log's files inherit it. Opens no descriptor, because closing one would drop the locks of this process's
    /// other connections. If it fails, SQLite creates the file or reports the error.
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

    /// Rolls back a transaction that a dead process left in the journal, as in a new database before its switch to a
    /// write-ahead log. A read-only connection cannot do this.
    private static func rollBackCutOff(_ path: String) throws(DatabaseError) {
        guard UnwritableDatabase.hasContent(path + "-journal") else { return }
        let handle = try DatabaseHandle(path: path, name: path, flags: SQLITE_OPEN_READWRITE)
        handle.setBusyTimeout(milliseconds: 10_000)
        try handle.execute("SELECT count(*) FROM sqlite_master;")
    }

    private static func atRest(_ path: String) throws(DatabaseError) -> DatabaseHandle {
        try DatabaseHandle(path: path, name: immutableURI(of: path), flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
    }

    /// If several connections switch a new database to a write-ahead log at once, SQLite fails all but one immediately,
    /// ignoring the busy timeout. Retries for 10 s.
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

    /// The path as a URI that declares the file immutable.
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

    /// Fails harmlessly if a failed COMMIT (a full disk) has already rolled back.
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
