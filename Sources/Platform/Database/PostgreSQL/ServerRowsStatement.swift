internal import PostgreSQL

protocol ServerRowsStatement: DriverStatement {
    var sql: String { get }
    var driver: PostgreSQLDriver { get }
    /// Nil until the statement runs.
    var rows: ServerRows? { get }
}

extension ServerRowsStatement {
    func step() throws(DatabaseError) -> Bool {
        do { return try rows?.next() ?? false } catch { throw driver.error(error, sql) }
    }

    var changedRowCount: Int { rows?.changedRowCount ?? 0 }

    // MARK: Columns of the current row

    func isNull(_ column: Int32) -> Bool { rows?.isNull(column) ?? true }
    func integer(_ column: Int32) -> Int64 { value(column, ServerValue.integer) ?? 0 }
    func real(_ column: Int32) -> Double { value(column, ServerValue.real) ?? 0 }
    func text(_ column: Int32) -> String { value(column, ServerValue.text) ?? "" }
    func blob(_ column: Int32) -> [UInt8] { rows?.bytes(column) ?? [] }

    private func value<Value>(_ column: Int32, _ decode: ([UInt8], UInt32) -> Value) -> Value? {
        rows.flatMap { rows in rows.bytes(column).map { decode($0, rows.type(column)) } }
    }
}
