internal import CSQLite

/// A value SQLite can store.
public protocol Bindable {
    var stored: DatabaseValue { get }
}

public enum DatabaseValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

extension Int: Bindable { public var stored: DatabaseValue { .integer(Int64(self)) } }
extension Int32: Bindable { public var stored: DatabaseValue { .integer(Int64(self)) } }
extension Int64: Bindable { public var stored: DatabaseValue { .integer(self) } }
extension UInt32: Bindable { public var stored: DatabaseValue { .integer(Int64(self)) } }
/// Stored as its bit pattern: values above `Int64.max` read back equal, but sort as negative.
extension UInt64: Bindable { public var stored: DatabaseValue { .integer(Int64(bitPattern: self)) } }
extension Bool: Bindable { public var stored: DatabaseValue { .integer(self ? 1 : 0) } }
extension Double: Bindable { public var stored: DatabaseValue { .real(self) } }
extension String: Bindable { public var stored: DatabaseValue { .text(self) } }
extension [UInt8]: Bindable { public var stored: DatabaseValue { .blob(self) } }
extension Optional: Bindable where Wrapped: Bindable { public var stored: DatabaseValue { self?.stored ?? .null } }

/// One prepared statement.
final class Statement {
    let handle: OpaquePointer
    private unowned let connection: Connection
    private let sql: String
    private var isBorrowed = false

    init(connection: Connection, sql: String) throws(DatabaseError) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(
            connection.handle, sql, -1, UInt32(bitPattern: SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw connection.error(code, sql) }
        self.handle = handle
        self.connection = connection
        self.sql = sql
    }

    deinit { sqlite3_finalize(handle) }

    func bind(_ values: [any Bindable]) throws(DatabaseError) {
        precondition(values.count == sqlite3_bind_parameter_count(handle), "one value for each ? of \(sql)")
        for (index, value) in values.enumerated() {
            let code = bind(value.stored, at: Int32(index + 1))
            guard code == SQLITE_OK else { throw connection.error(code, sql) }
        }
    }

    private func bind(_ value: DatabaseValue, at place: Int32) -> Int32 {
        // SQLITE_TRANSIENT: SQLite copies the bytes before the call returns.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: return sqlite3_bind_null(handle, place)
        case .integer(let number): return sqlite3_bind_int64(handle, place, number)
        case .real(let number): return sqlite3_bind_double(handle, place, number)
        case .text(let text):
            return sqlite3_bind_text64(handle, place, text, UInt64(text.utf8.count), copied, UInt8(SQLITE_UTF8))
        case .blob(let bytes):
            guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, place, 0) }
            return sqlite3_bind_blob64(handle, place, bytes, UInt64(bytes.count), copied)
        }
    }

    /// True while there is a row.
    func step() throws(DatabaseError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw connection.error(code, sql)
        }
    }

    /// False while somebody else has it.
    func borrow() -> Bool {
        defer { isBorrowed = true }
        return !isBorrowed
    }

    /// The values stay bound: whoever borrows it next binds all of them.
    func giveBack() {
        sqlite3_reset(handle)
        isBorrowed = false
    }
}

/// The row a statement stands on; columns count from 0.
public struct Row: ~Copyable {
    let statement: Statement

    public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement.handle, column) == SQLITE_NULL }
    public func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement.handle, column) }
    public func real(_ column: Int32) -> Double { sqlite3_column_double(statement.handle, column) }

    /// Empty for NULL. What is no UTF-8 is repaired.
    public func text(_ column: Int32) -> String {
        guard let text = sqlite3_column_text(statement.handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement.handle, column))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    /// Empty for NULL.
    public func blob(_ column: Int32) -> [UInt8] {
        let count = Int(sqlite3_column_bytes(statement.handle, column))
        guard count > 0, let bytes = sqlite3_column_blob(statement.handle, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }
}
