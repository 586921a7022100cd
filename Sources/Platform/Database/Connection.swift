public import PostgreSQL

/// A connection to a database: a file of SQLite's, or one of a PostgreSQL server's. Not thread-safe: used by one thread at
/// a time.
///
/// The SQL is what both understand, see "Storing" in the documentation: SQLite's placeholders, standard conflict clauses,
/// and orders that name what comes first.
public final class Connection {
    /// The database's path as the caller gave it, or the server's address.
    public let path: String
    let driver: any DatabaseDriver
    /// Prepared statements by their text, so that a loop prepares only once.
    private var prepared: [String: any DriverStatement] = [:]

    /// Opens a database of SQLite's. A commit in mode `readWrite` survives a power cut: the connection uses a write-ahead
    /// log and `synchronous=FULL`. Foreign keys are on, and a statement waits up to 10 s for another writer.
    ///
    /// - Parameters:
    ///   - cacheBytes: how many bytes of pages a connection that writes keeps in memory; nil for 2 MB, SQLite's own number.
    ///   - logBytes: how many bytes of pages it lets gather in the log before it takes them into the database; nil for 4 MB,
    ///     SQLite's own number.
    public init(
        path: String, mode: ConnectionMode = .readWrite, cacheBytes: Int? = nil, logBytes: Int? = nil
    ) throws(DatabaseError) {
        self.path = path
        driver = try SQLiteDriver(path: path, mode: mode, cacheBytes: cacheBytes, logBytes: logBytes)
    }

    /// Connects to a database of a PostgreSQL server's. Transactions run one after the other, as SQLite's do: each waits
    /// up to 30 s for the one before. A connection that broke is made again by the next statement outside of a transaction.
    ///
    /// - Parameters:
    ///   - schema: where the tables are in the database. It is made if there is none, unless the mode is to read.
    ///   - mode: all but `readWrite` read.
    ///   - lock: transactions fail with a `DatabaseError` of kind `busy` once another process has it.
    public init(
        server address: ServerAddress, schema: String, mode: ConnectionMode = .readWrite, lock: ServerLock? = nil
    ) throws(DatabaseError) {
        path = address.description
        driver = try PostgreSQLDriver(address, schema: schema, isReading: mode != .readWrite, lock: lock)
    }

    /// True if the database is on a server.
    public var isServers: Bool { ServerAddress.isAddress(path) }

    deinit {
        // Before the handle closes, so that the database really closes with it.
        prepared.removeAll()
    }

    /// The texts of the statements that are kept prepared, in their order: for what asks how they are run.
    public var keptStatements: [String] { prepared.keys.sorted() }

    /// A text that is another one as soon as this connection has written anything, or another one has committed; nil where the
    /// database cannot say. Texts of two connections cannot be compared.
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

    /// Runs one statement that returns no rows.
    ///
    /// - Parameter values: one for each `?`.
    /// - Returns: the number of rows that it changed.
    @discardableResult
    public func run(_ sql: String, _ values: any Bindable...) throws(DatabaseError) -> Int { try run(sql, all: values) }

    /// Runs one statement that returns no rows.
    ///
    /// - Parameter values: one for each `?`.
    /// - Returns: the number of rows that it changed.
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

    /// Runs one statement that inserts a row into a table whose rows have numbers.
    ///
    /// - Parameter values: one for each `?`.
    /// - Returns: the row's number, in the column `id`.
    /// - Throws: `DatabaseError`.
    public func insert(_ sql: String, _ values: any Bindable...) throws -> Int64 {
        try first(sql + " RETURNING id", values) { $0.integer(0) } ?? 0
    }

    // MARK: Reading

    /// Calls `body` with each row, in order. Memory holds one row at a time, or more if the body runs other statements on
    /// a server.
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
        let statement = try driver.prepare(sql, isKept: false)
        defer { statement.giveBack() }
        try statement.bind(values, .all)
        while try statement.step() { try body(Row(of: statement)) }
    }

    /// As `each`, of a statement that is kept prepared.
    func each(kept sql: String, _ values: [DatabaseValue], body: (borrowing Row) throws -> Void) throws {
        try walk(sql, values) { row in
            try body(row)
            return true
        }
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
        try walk(sql, values, .few) { row in
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

    /// The prepared statement with that text. A loop over its rows may run the same text again, and gets a new one.
    private func borrow(_ sql: String) throws(DatabaseError) -> any DriverStatement {
        if let known = prepared[sql], known.lend() { return known }
        let statement = try driver.prepare(sql, isKept: true)
        _ = statement.lend()
        prepared[sql] = statement
        return statement
    }
}
