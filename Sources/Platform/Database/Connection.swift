public import PostgreSQL

/// A connection to a SQLite file or a PostgreSQL server. Not thread-safe.
///
/// SQL is written once for both, with SQLite's placeholders, standard conflict clauses and explicit orders;
/// `ServerDialect` translates the rest.
public final class Connection {
    /// The path as given by the caller, or the server's address.
    public let path: String
    let driver: any DatabaseDriver
    private var prepared: [String: any DriverStatement] = [:]

    /// Opens a SQLite database. In mode `readWrite`, commits survive a power failure: write-ahead log,
    /// `synchronous=FULL`. Foreign keys are enforced, and a statement waits up to 10 s for another writer.
    ///
    /// - Parameters:
    ///   - cacheBytes: page cache of a writing connection; nil for SQLite's default, 2 MB.
    ///   - logBytes: size of the log that triggers a checkpoint; nil for SQLite's default, 4 MB.
    public init(
        path: String, mode: ConnectionMode = .readWrite, cacheBytes: Int? = nil, logBytes: Int? = nil
    ) throws(DatabaseError) {
        self.path = path
        driver = try SQLiteDriver(path: path, mode: mode, cacheBytes: cacheBytes, logBytes: logBytes)
    }

    /// Connects to a PostgreSQL server. Writing transactions are serialised, as in SQLite: each waits up to 30 s for
    /// the one before. Outside a transaction, the next statement restores a broken connection.
    ///
    /// - Parameters:
    ///   - schema: schema of the tables, created if missing unless the mode is read-only.
    ///   - mode: all but `readWrite` are read-only.
    ///   - lock: transactions fail with a `DatabaseError` of kind `busy` once another process holds it.
    public init(
        server address: ServerAddress, schema: String, mode: ConnectionMode = .readWrite, lock: ServerLock? = nil
    ) throws(DatabaseError) {
        path = address.description
        driver = try PostgreSQLDriver(address, schema: schema, isReading: mode != .readWrite, lock: lock)
    }

    /// True for a server.
    public var isServers: Bool { ServerAddress.isAddress(path) }

    deinit {
        // Before the handle closes, so that the database closes with it.
        prepared.removeAll()
    }

    /// The SQL of the cached statements, sorted, for inspecting query plans.
    public var keptStatements: [String] { prepared.keys.sorted() }

    /// A token that changes when this connection writes or another one commits; nil if unknown. Only comparable within
    /// one connection.
    public func committedState() throws -> String? {
        let sql =
            isServers
            ? """
            SELECT pg_current_snapshot()::text, pg_current_xact_id_if_assigned() IS NULL
            """
            : "SELECT data_version || ' ' || total_changes(), 1 FROM pragma_data_version"
        return try first(sql) { row in row.integer(1) == 1 ? row.text(0) : nil } ?? nil
    }

    // MARK: Writing

    /// Runs statements without parameters and results.
    public func script(_ sql: String) throws(DatabaseError) { try driver.script(sql) }

    /// Runs a statement that returns no rows, with one value per `?`. Returns the number of changed rows.
    @discardableResult
    public func run(_ sql: String, _ values: any Bindable...) throws(DatabaseError) -> Int { try run(sql, all: values) }

    /// Runs a statement that returns no rows, with one value per `?`. Returns the number of changed rows.
    @discardableResult
    public func run(_ sql: String, values: [DatabaseValue]) throws(DatabaseError) -> Int { try run(sql, all: values) }

    private func run(_ sql: String, all values: [any Bindable]) throws(DatabaseError) -> Int {
        guard driver.needsTransaction else { return try runOnce(sql, values) }
        try driver.begin()
        do {
            let count = try runOnce(sql, values)
            try driver.commit()
            return count
        } catch {
            driver.rollback()
            throw error
        }
    }

    private func runOnce(_ sql: String, _ values: [any Bindable]) throws(DatabaseError) -> Int {
        let statement = try borrow(sql)
        defer { statement.giveBack() }
        try statement.bind(values, .few)
        while try statement.step() {}
        return statement.changedRowCount
    }

    /// Inserts a row into a table with a column `id`, with one value per `?`. Returns the new row's `id`. Throws
    /// `DatabaseError`.
    public func insert(_ sql: String, _ values: any Bindable...) throws -> Int64 {
        try first(sql + " RETURNING id", values) { $0.integer(0) } ?? 0
    }

    // MARK: Reading

    /// Calls `body` with each row, in order. Holds one row in memory, or more if the body runs other statements on a
    /// server. Throws `DatabaseError`, and the errors of `body`.
    public func each(
        _ sql: String, _ values: any Bindable..., body: (borrowing Row) throws -> Void
    ) throws {
        try walk(sql, values) { row in
            try body(row)
            return true
        }
    }

    /// Calls `body` with each row, in order, of a statement that is not cached, with one value per `?`. Throws
    /// `DatabaseError`, and the errors of `body`.
    public func each(_ sql: String, values: [DatabaseValue], body: (borrowing Row) throws -> Void) throws {
        let statement = try driver.prepare(sql, isKept: false)
        defer { statement.giveBack() }
        try statement.bind(values, .all)
        while try statement.step() { try body(Row(of: statement)) }
    }

    func each(kept sql: String, _ values: [DatabaseValue], body: (borrowing Row) throws -> Void) throws {
        try walk(sql, values) { row in
            try body(row)
            return true
        }
    }

    /// Calls `body` with each row, until it returns false. Throws `DatabaseError`, and the errors of `body`.
    public func walk(
        _ sql: String, _ values: any Bindable..., while body: (borrowing Row) throws -> Bool
    ) throws {
        try walk(sql, values, while: body)
    }

    /// All rows of a small result, converted by `make`. Throws `DatabaseError`, and the errors of `make`.
    public func all<Value>(
        _ sql: String, _ values: any Bindable..., make: (borrowing Row) throws -> Value
    ) throws -> [Value] {
        var all: [Value] = []
        try walk(sql, values, .few) { row in
            all.append(try make(row))
            return true
        }
        return all
    }

    /// The first row, converted by `make`; nil if there is none. Throws `DatabaseError`, and the errors of `make`.
    public func first<Value>(
        _ sql: String, _ values: any Bindable..., make: (borrowing Row) throws -> Value
    ) throws -> Value? {
        try first(sql, values, make: make)
    }

    private func first<Value>(
        _ sql: String, _ values: [any Bindable], make: (borrowing Row) throws -> Value
    ) throws -> Value? {
        let statement = try borrow(sql)
        defer { statement.giveBack() }
        try statement.bind(values, .first)
        return try statement.step() ? make(Row(of: statement)) : nil
    }

    private func walk(
        _ sql: String, _ values: [any Bindable], _ wanted: RowsWanted = .all, while body: (borrowing Row) throws -> Bool
    ) throws {
        let statement = try borrow(sql)
        defer { statement.giveBack() }
        try statement.bind(values, wanted)
        while try statement.step(), try body(Row(of: statement)) {}
    }

    /// The cached statement. Nested use of the same text, in a loop over its rows, prepares a new one.
    private func borrow(_ sql: String) throws(DatabaseError) -> any DriverStatement {
        if let known = prepared[sql], known.lend() { return known }
        let statement = try driver.prepare(sql, isKept: true)
        _ = statement.lend()
        prepared[sql] = statement
        return statement
    }
}
