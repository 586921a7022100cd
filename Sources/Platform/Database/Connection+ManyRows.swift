extension Connection {
    /// Runs one statement once for each row of values. A server gets all rows in one statement, and within a transaction it works
    /// on them while the caller goes on: what is wrong with them is thrown by the next statement, or by the transaction's end.
    ///
    /// - Parameters:
    ///   - sql: an INSERT with one row of VALUES, an UPDATE or a DELETE, with no NULL but by a `?`.
    ///   - rows: for each run one value for each `?`. No two runs may change the same row.
    public func run(_ sql: String, rows: [[DatabaseValue]]) throws(DatabaseError) {
        guard !rows.isEmpty else { return }
        guard let statement = driver.prepareForMany(sql) else {
            for row in rows { try run(sql, values: row) }
            return
        }
        defer { statement.giveBack() }
        try inTransactionIfNeeded { () throws(DatabaseError) in try statement.send(many: rows) }
    }

    /// Writes rows into a table, within a transaction of the caller's. Triggers see each.
    ///
    /// - Parameters:
    ///   - rows: each has one value for each of the columns, of its type.
    ///   - table: its name in the schema.
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

    /// Runs a query once for each row of values, and calls `body` with each row that it finds, in no order. A server gets all
    /// values in one statement, and memory holds all that it finds.
    ///
    /// - Parameter keys: for each run one value for each `?`. Where two are alike, rows may come twice.
    /// - Throws: `DatabaseError`; what `body` throws.
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
