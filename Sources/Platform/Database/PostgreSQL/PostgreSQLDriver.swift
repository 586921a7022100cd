internal import PostgreSQL

/// A schema in a PostgreSQL database. Not thread-safe. Writing transactions first take a lock of the schema, so that
/// they are serialised as in SQLite; none fails because of another.
final class PostgreSQLDriver: DatabaseDriver {
    let address: ServerAddress
    /// Needs no quoting.
    private let schema: String
    private let isReading: Bool
    private let lock: ServerLock?
    private var session: ServerSession?
    /// True from `begin` to its end, even if the connection breaks.
    private(set) var isInTransaction = false
    /// Nesting depth of `takeTurn`, kept even if the connection breaks.
    private var turnDepth = 0
    /// Number of connections so far: statements must be prepared again on a new one.
    private(set) var connectionCount = 0
    /// Statements for many rows, cached by SQL text for the life of the driver.
    private var many: [String: PostgreSQLManyRows] = [:]
    /// In the current transaction.
    private var prefersIndexes = false
    /// The statement in the current transaction that the server may still be running.
    private var unanswered: String?

    init(
        _ address: ServerAddress, schema: String, isReading: Bool, lock: ServerLock?
    ) throws(DatabaseError) {
        precondition(
            !schema.isEmpty
                && schema.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F },
            "a schema's name has small letters, digits and underscores")
        self.address = address
        self.schema = schema
        self.isReading = isReading
        self.lock = lock
        _ = try connected()
    }

    func error(_ error: ServerError, _ sql: String?) -> DatabaseError {
        DatabaseError(error, database: address.description, statement: sql)
    }

    // MARK: The connection

    /// Reconnects if the session broke, except within a transaction.
    private func connected() throws(DatabaseError) -> ServerSession {
        if let session, !session.isLost { return session }
        guard !isInTransaction, turnDepth == 0 else {
            throw DatabaseError(
                kind: .unreachable, message: "the connection broke during a transaction, which was rolled back",
                database: address.description, statement: nil)
        }
        session = nil
        do {
            let opened = try ServerSession(address)
            try opened.execute(Self.settings(schema: schema, isReading: isReading))
            session = opened
            connectionCount += 1
            return opened
        } catch {
            throw self.error(error, nil)
        }
    }

    /// Commits are durable regardless of the server's settings, and the server detects a lost client within half a
    /// minute. Random reads cost little more than sequential ones on SSDs and in memory. Sorts in a large library need
    /// more memory than the default.
    private static func settings(schema: String, isReading: Bool) -> String {
        """
        SET search_path TO \(schema);
        SET default_transaction_read_only TO \(isReading ? "on" : "off");
        SET default_transaction_isolation TO 'read committed';
        SET standard_conforming_strings TO on;
        SET lock_timeout TO '30s';
        SET statement_timeout TO 0;
        SET jit TO off;
        SET random_page_cost TO 1.1;
        SET work_mem TO '32MB';
        SET tcp_keepalives_idle TO 10;
        SET tcp_keepalives_interval TO 5;
        SET tcp_keepalives_count TO 3;
        SELECT set_config('synchronous_commit', 'on', false)
            WHERE current_setting('synchronous_commit') IN ('off', 'local');
        """
    }

    /// Runs `body` with a session, and again on a new connection if the old one broke and repeating is safe.
    ///
    /// - Parameter isRepeatable: running it twice is harmless.
    func use<Value>(
        _ sql: String?, isRepeatable: Bool, _ body: (ServerSession) throws(ServerError) -> Value
    ) throws(DatabaseError) -> Value {
        let session = try connected()
        try awaitAnswer(session)
        do { return try body(session) } catch {
            guard error.kind == .unreachable, isRepeatable, !isInTransaction, turnDepth == 0 else {
                throw self.error(error, sql)
            }
        }
        self.session = nil
        let new = try connected()
        do { return try body(new) } catch { throw self.error(error, sql) }
    }

    /// Runs `body`, which sends a statement. Within a transaction the next use of the connection awaits the response
    /// and throws its error.
    func send(_ sql: String, _ body: (ServerSession) throws(ServerError) -> Void) throws(DatabaseError) {
        try use(sql, isRepeatable: false, body)
        unanswered = sql
        if !isInTransaction { try awaitAnswer(try connected()) }
    }

    private func awaitAnswer(_ session: ServerSession) throws(DatabaseError) {
        guard let sql = unanswered else { return }
        unanswered = nil
        do { try session.awaitAnswer() } catch { throw self.error(error, sql) }
    }

    // MARK: Statements

    func script(_ sql: String) throws(DatabaseError) {
        try use(sql, isRepeatable: false) { session throws(ServerError) in try session.execute(sql) }
    }

    func prepare(_ sql: String, isKept: Bool) throws(DatabaseError) -> any DriverStatement {
        PostgreSQLStatement(sql, on: self, isKept: isKept)
    }

    func prepareForMany(_ sql: String) -> (any ManyRowsStatement)? {
        if let known = many[sql], known.lend() { return known }
        let statement = PostgreSQLManyRows(sql, on: self)
        _ = statement.lend()
        many[sql] = statement
        return statement
    }

    /// Disables sequential scans in this transaction: cached plans may date from when a table was small.
    func preferIndexes() throws(DatabaseError) {
        guard isInTransaction, !prefersIndexes else { return }
        try script("SET LOCAL enable_seqscan TO off")
        prefersIndexes = true
    }

    // MARK: Transactions

    var needsTransaction: Bool { lock != nil && !isInTransaction }

    func begin() throws(DatabaseError) {
        try requireNoTransaction()
        do { try beginOnce() } catch {
            guard error.kind == .busy, let lock else { throw error }
            // The lock's own connection may have broken.
            try lock.renew()
            try beginOnce()
        }
        isInTransaction = true
    }

    func beginReading() throws(DatabaseError) {
        try requireNoTransaction()
        try use("BEGIN", isRepeatable: true) { session throws(ServerError) in
            try session.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        }
        isInTransaction = true
    }

    private func requireNoTransaction() throws(DatabaseError) {
        guard isInTransaction else { return }
        throw DatabaseError(
            kind: .refused, message: "cannot start a transaction within a transaction",
            database: address.description, statement: "BEGIN")
    }

    private func beginOnce() throws(DatabaseError) {
        let turn = isReading ? "" : "SELECT pg_advisory_xact_lock(\(turnKey));"
        do {
            try use("BEGIN", isRepeatable: true) { session throws(ServerError) in
                try session.execute("BEGIN; \(turn) \(isReading ? "" : lock?.check ?? "")")
            }
        } catch {
            rollback()
            throw error
        }
        prefersIndexes = false
    }

    func commit() throws(DatabaseError) {
        try use("COMMIT", isRepeatable: false) { session throws(ServerError) in
            // The server would roll back on such a COMMIT without reporting an error.
            if session.isTransactionSpoilt {
                try session.execute("SELECT 1")
            }
            try session.execute("COMMIT")
        }
        isInTransaction = false
    }

    func rollback() {
        isInTransaction = false
        unanswered = nil
        guard let session, !session.isLost else { return }
        do { try session.execute("ROLLBACK") } catch { self.session = nil }
    }

    /// Waits for up to five minutes, because a turn can span several transactions.
    func takeTurn() throws(DatabaseError) {
        if turnDepth == 0 {
            try use(nil, isRepeatable: true) { session throws(ServerError) in
                try session.execute(
                    "SET lock_timeout TO '300s'; SELECT pg_advisory_lock(\(turnKey)); SET lock_timeout TO '30s';")
            }
        }
        turnDepth += 1
    }

    func giveTurn() {
        turnDepth -= 1
        guard turnDepth == 0, let session, !session.isLost else { return }
        do { try session.execute("SELECT pg_advisory_unlock(\(turnKey))") } catch { self.session = nil }
    }

    private var turnKey: String { "hashtextextended('rawmill.\(schema)', 0)" }

    // MARK: Schema

    func schemaVersion() throws(DatabaseError) -> Int64 {
        // Reads the catalogue directly: name lookup functions may use an older snapshot.
        let count = try number(
            "SELECT count(*) FROM pg_tables WHERE schemaname = '\(schema)' AND tablename = 'schema_version'")
        return count == 0 ? 0 : try number("SELECT max(steps) FROM \(schema).schema_version")
    }

    private func number(_ sql: String) throws(DatabaseError) -> Int64 {
        let statement = PostgreSQLStatement(sql, on: self, isKept: false)
        defer { statement.giveBack() }
        try statement.bind([], .few)
        return try statement.step() ? statement.integer(0) : 0
    }

    func setSchemaVersion(_ version: Int) throws(DatabaseError) {
        try script("DELETE FROM schema_version; INSERT INTO schema_version VALUES (\(version));")
    }

    func migrate(_ schema: Schema, from version: Int) throws(DatabaseError) {
        let missing = schema.migrations.dropFirst(version)
        if version > 0, !missing.contains(where: { $0.onServer == nil }) {
            for step in missing { try script(step.onServer ?? "") }
            return
        }
        guard let tables = schema.onServer, version == 0 else {
            throw DatabaseError(
                kind: .refused,
                message: "its tables were created by an early version and cannot be upgraded",
                database: address.description, statement: nil)
        }
        try script("CREATE SCHEMA IF NOT EXISTS \(self.schema); CREATE TABLE schema_version (steps bigint NOT NULL);")
        try script(SharedFunctions.sql)
        try script(tables)
    }
}
