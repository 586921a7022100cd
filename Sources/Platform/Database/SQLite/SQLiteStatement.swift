internal import CSQLite

/// A prepared statement, finalised with the object. Not thread-safe.
///
/// Safe: the pointer is private and valid as long as the object.
@safe final class SQLiteStatement: DriverStatement {
    /// Valid from `init` to `deinit`.
    private let pointer: OpaquePointer
    private let sql: String
    private let database: String
    private var isLent = false

    /// - Parameter pointer: ownership passes to this object.
    init(owning pointer: OpaquePointer, sql: String, database: String) {
        unsafe self.pointer = pointer
        self.sql = sql
        self.database = database
    }

    deinit { unsafe sqlite3_finalize(pointer) }

    // MARK: Lending

    func lend() -> Bool {
        defer { isLent = true }
        return !isLent
    }

    /// Keeps the bound values, because the next borrower binds all of them.
    func giveBack() {
        unsafe sqlite3_reset(pointer)
        isLent = false
    }

    // MARK: Running

    func bind(_ values: [any Bindable], _: RowsWanted) throws(DatabaseError) {
        try bind(values.map(\.databaseValue))
    }

    func bind(_ values: [DatabaseValue]) throws(DatabaseError) {
        let count = Int(unsafe sqlite3_bind_parameter_count(pointer))
        precondition(values.count == count, "one value is needed for each ? of \(sql)")
        for (index, value) in values.enumerated() {
            let code = bind(value, at: Int32(index + 1))
            guard code == SQLITE_OK else { throw error(code) }
        }
    }

    /// - Parameter index: from 1.
    private func bind(_ value: DatabaseValue, at index: Int32) -> Int32 {
        // SQLITE_TRANSIENT, a macro that Swift does not import: SQLite copies the bytes during the call.
        let isCopied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: return unsafe sqlite3_bind_null(pointer, index)
        case .integer(let number): return unsafe sqlite3_bind_int64(pointer, index, number)
        case .real(let number): return unsafe sqlite3_bind_double(pointer, index, number)
        case .text(let text):
            return unsafe sqlite3_bind_text64(
                pointer, index, text, UInt64(text.utf8.count), isCopied, UInt8(SQLITE_UTF8))
        case .blob(let bytes):
            // A null pointer would bind NULL instead of an empty blob.
            guard !bytes.isEmpty else { return unsafe sqlite3_bind_zeroblob(pointer, index, 0) }
            return unsafe sqlite3_bind_blob64(pointer, index, bytes, UInt64(bytes.count), isCopied)
        }
    }

    func step() throws(DatabaseError) -> Bool {
        switch unsafe sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw error(code)
        }
    }

    /// Only valid directly after the statement ran.
    var changedRowCount: Int { Int(unsafe sqlite3_changes64(sqlite3_db_handle(pointer))) }

    private func error(_ code: Int32) -> DatabaseError {
        let connection = unsafe sqlite3_db_handle(pointer)
        let message = unsafe String(cString: sqlite3_errmsg(connection))
        return DatabaseError(
            code: code, systemError: unsafe sqlite3_system_errno(connection), message: message, database: database,
            statement: sql)
    }

    // MARK: Columns of the current row

    func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(pointer, column) == SQLITE_NULL }
    func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(pointer, column) }
    func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(pointer, column) }

    func text(_ column: Int32) -> String {
        guard let text = unsafe sqlite3_column_text(pointer, column) else { return "" }
        let count = Int(unsafe sqlite3_column_bytes(pointer, column))
        // Copied, because SQLite owns the bytes only until the next call on this column.
        return unsafe String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    func blob(_ column: Int32) -> [UInt8] {
        let count = Int(unsafe sqlite3_column_bytes(pointer, column))
        guard count > 0, let bytes = unsafe sqlite3_column_blob(pointer, column) else { return [] }
        // Copied, because SQLite owns the bytes only until the next call on this column.
        return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }
}
