internal import PostgreSQL

/// A statement on a PostgreSQL connection. Prepared when it first runs, and again on a new connection. Not thread-safe.
final class PostgreSQLStatement: ServerRowsStatement {
    /// The server needs a separate statement for other parameter types.
    private struct Variant: Hashable {
        let isLimited: Bool
        let types: [UInt32]
    }

    let sql: String
    private let dialect: ServerDialect
    let driver: PostgreSQLDriver
    private let isKept: Bool
    private var isLent = false
    private var prepared: [Variant: ServerStatement] = [:]
    private var connection = 0
    private(set) var rows: ServerRows?

    init(_ sql: String, on driver: PostgreSQLDriver, isKept: Bool) {
        self.sql = sql
        dialect = ServerDialect(sql)
        self.driver = driver
        self.isKept = isKept
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

    func bind(_ values: [any Bindable], _ wanted: RowsWanted) throws(DatabaseError) {
        precondition(values.count == dialect.parameterCount, "one value is needed for each ? of \(sql)")
        let values = values.map(\.databaseValue)
        rows = try driver.use(sql, isRepeatable: dialect.isQuery) { session throws(ServerError) in
            let statement = try self.statement(for: values, isLimited: wanted == .first, session)
            let bytes = zip(values, statement.parameterTypes).map { ServerValue.encode($0, as: $1) }
            return try session.run(statement, bytes, isStreamed: wanted == .all)
        }
    }

    /// The prepared statement whose parameters accept the values. The server infers the types; if a value does not fit,
    /// such as a fraction compared with integers, its own type is requested.
    private func statement(
        for values: [DatabaseValue], isLimited: Bool, _ session: ServerSession
    ) throws(ServerError) -> ServerStatement {
        if connection != driver.connectionCount {
            prepared.removeAll()
            connection = driver.connectionCount
        }
        let isLimited = isLimited && dialect.isUnlimitedQuery
        let inferred = try prepare(Variant(isLimited: isLimited, types: []), session)
        let isFit = zip(values, inferred.parameterTypes).map { ServerValue.fits($0, $1) }
        guard isFit.contains(false) else { return inferred }
        let types = zip(values, isFit).map { value, fits in fits ? 0 : ServerValue.type(of: value) }
        return try prepare(Variant(isLimited: isLimited, types: types), session)
    }

    private func prepare(_ variant: Variant, _ session: ServerSession) throws(ServerError) -> ServerStatement {
        if let known = prepared[variant] { return known }
        let text = variant.isLimited ? dialect.sql + " LIMIT 1" : dialect.sql
        let statement = try session.prepare(text, types: variant.types, isKept: isKept)
        if isKept { prepared[variant] = statement }
        return statement
    }
}
