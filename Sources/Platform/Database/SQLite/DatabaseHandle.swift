internal import CSQLite

/// An open SQLite database, closed with the value once its statements are finalised. Safe: the pointer is private and
/// valid as long as the value.
@safe struct DatabaseHandle: ~Copyable {
    /// Valid from `init` to `deinit`; used by one thread at a time.
    private let pointer: OpaquePointer
    let path: String

    /// - Parameters:
    ///   - name: the path, or a URI if the flags allow it.
    ///   - flags: `SQLITE_OPEN_…`.
    init(path: String, name: String, flags: Int32) throws(DatabaseError) {
        var pointer: OpaquePointer?
        let code = unsafe sqlite3_open_v2(
            name, &pointer, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let opened = unsafe pointer else {
            let systemError = unsafe sqlite3_system_errno(pointer)
            unsafe sqlite3_close_v2(pointer)
            throw DatabaseError(
                code: code, systemError: systemError, message: "could not be opened", database: path, statement: nil)
        }
        unsafe self.pointer = opened
        self.path = path
    }

    deinit { unsafe sqlite3_close_v2(pointer) }

    func setBusyTimeout(milliseconds: Int32) { unsafe sqlite3_busy_timeout(pointer, milliseconds) }

    func execute(_ sql: String) throws(DatabaseError) {
        let code = unsafe sqlite3_exec(pointer, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, sql) }
    }

    func prepare(_ sql: String) throws(DatabaseError) -> SQLiteStatement {
        var statement: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            pointer, sql, -1, UInt32(bitPattern: SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let prepared = unsafe statement else { throw error(code, sql) }
        return unsafe SQLiteStatement(owning: prepared, sql: sql, database: path)
    }

    private func error(_ code: Int32, _ sql: String) -> DatabaseError {
        let message = unsafe String(cString: sqlite3_errmsg(pointer))
        return DatabaseError(
            code: code, systemError: unsafe sqlite3_system_errno(pointer), message: message, database: path,
            statement: sql)
    }
}
