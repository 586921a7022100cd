internal import PostgreSQL

/// A statement that a server runs once for each of many rows of values, passed as one array per `?`. Not thread-safe.
final class PostgreSQLManyRows: ManyRowsStatement, ServerRowsStatement {
    let sql: String
    private let dialect: ServerDialect
    unowned let driver: PostgreSQLDriver
    private var isLent = false
    private var prepared: (statement: ServerStatement, types: [UInt32])?
    /// The connection it was prepared on.
    private var connection = 0
    private(set) var rows: ServerRows?

    init(_ sql: String, on driver: PostgreSQLDriver) {
        self.sql = sql
        dialect = ServerDialect(sql)
        self.driver = driver
    }

    // MARK: Lending

    func lend() -> Bool {
        defer { isLent = true }
        return !isLent
    }

    func giveBack() {
        rows?.finish()
        rows = nil
        isLent = false
    }

    // MARK: Running

    func bind(many rows: [[DatabaseValue]]) throws(DatabaseError) {
        try driver.preferIndexes()
        self.rows = try driver.use(sql, isRepeatable: dialect.isQuery) { session throws(ServerError) in
            let (statement, arrays) = try self.encode(rows, for: session)
            return try session.run(statement, arrays, isStreamed: false)
        }
    }

    func send(many rows: [[DatabaseValue]]) throws(DatabaseError) {
        try driver.preferIndexes()
        try driver.send(sql) { session throws(ServerError) in
            let (statement, arrays) = try self.encode(rows, for: session)
            try session.send(statement, arrays)
        }
    }

    private func encode(
        _ rows: [[DatabaseValue]], for session: ServerSession
    ) throws(ServerError) -> (ServerStatement, [[UInt8]?]) {
        precondition(
            rows.allSatisfy { $0.count == dialect.parameterCount }, "one value is needed for each ? of \(sql)")
        let (statement, types) = try prepare(session)
        let arrays = types.enumerated().map { column, type in
            ServerValue.encodeArray(rows.lazy.map { $0[column] }, of: type)
        }
        return (statement, arrays)
    }

    func bind(_ values: [any Bindable], _ wanted: RowsWanted) throws(DatabaseError) {
        try bind(many: [values.map(\.databaseValue)])
    }

    /// Prepares the statement for one row, to learn its parameter types, and then the one that takes arrays of them.
    private func prepare(_ session: ServerSession) throws(ServerError) -> (ServerStatement, [UInt32]) {
        if let prepared, connection == driver.connectionCount { return prepared }
        let types = try session.prepare(dialect.sql, isKept: false).parameterTypes
        let many = try session.prepare(ManyRowsText(dialect.sql, types: types).sql)
        prepared = (many, types)
        connection = driver.connectionCount
        return (many, types)
    }
}
