extension Connection {
    /// Runs a statement once for each row of values. A server receives all rows in one statement. Within a transaction
    /// it runs asynchronously: the next statement or the end of the transaction throws its errors.
    ///
    /// - Parameters:
    ///   - sql: an INSERT with one row of VALUES, an UPDATE or a DELETE. Write NULLs as `?`.
    ///   - rows: for each run one value per `?`. No two runs may change the same row.
    public func run(_ sql: String, rows: [[DatabaseValue]]) throws(DatabaseError) {
        guard !rows.isEmpty else { return }
        guard let statement = driver.prepareForMany(sql) else {
            for row in rows { try run(sql, values: row) }
            return
        }
        defer { statement.giveBack() }
        try inTransactionIfNeeded { () throws(DatabaseError) in try statement.send(many: rows) }
    }

    /// Inserts rows, within the caller's transaction. Triggers fire for each.
    ///
    /// - Parameter rows: one value per column, of the column's type.
    public func insert(
        _ rows: [[DatabaseValue]], into table: String, columns: [String]
    ) throws(DatabaseError) {
        guard !rows.isEmpty else { return }
        try inTransactionIfNeeded { () throws(DatabaseError) in
            try driver.insert(rows, into: table, columns: columns)
        }
    }

    private func inTransactionIfNeeded<Value>(
        _ body: () throws(DatabaseError) -> Value
    ) throws(DatabaseError) -> Value {
        guard driver.needsTransaction else { return try body() }
        try driver.begin()
        do {
            let value = try body()
            try driver.commit()
            return value
        } catch {
            driver.rollback()
            throw error
        }
    }

    /// Runs a query once for each row of values and calls `body` with each result row, in no particular order. A server
    /// receives all values in one statement, and its results are held in memory.
    ///
    /// - Parameter keys: for each run one value per `?`. Equal keys may return rows twice.
    /// - Throws: `DatabaseError`, and the errors of `body`.
    public func each(_ sql: String, keys: [[DatabaseValue]], body: (borrowing Row) throws -> Void) throws {
        guard !keys.isEmpty else { return }
        guard let statement = driver.prepareForMany(sql) else {
            for key in keys { try each(kept: sql, key, body: body) }
            return
        }
        defer { statement.giveBack() }
        try statement.bind(many: keys)
        while try statement.step() { try body(Row(of: statement)) }
    }
}
