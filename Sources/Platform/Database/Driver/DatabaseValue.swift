/// A value that SQLite can store.
public enum DatabaseValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

/// A type that can be bound to a statement's parameter.
public protocol Bindable {
    var databaseValue: DatabaseValue { get }
}

// `UInt64` is stored as its bit pattern: values above `Int64.max` read back equal, but sort as negative.

extension DatabaseValue: Bindable {
    /// The value itself.
    public var databaseValue: DatabaseValue { self }
}

extension Int: Bindable {
    /// Stored as an integer.
    public var databaseValue: DatabaseValue { .integer(Int64(self)) }
}

extension Int32: Bindable {
    /// Stored as an integer.
    public var databaseValue: DatabaseValue { .integer(Int64(self)) }
}

extension Int64: Bindable {
    /// Stored as an integer.
    public var databaseValue: DatabaseValue { .integer(self) }
}

extension UInt32: Bindable {
    /// Stored as an integer.
    public var databaseValue: DatabaseValue { .integer(Int64(self)) }
}

extension UInt64: Bindable {
    /// The bit pattern of the value.
    public var databaseValue: DatabaseValue { .integer(Int64(bitPattern: self)) }
}

extension Bool: Bindable {
    /// 1 for true, 0 for false.
    public var databaseValue: DatabaseValue { .integer(self ? 1 : 0) }
}

extension Double: Bindable {
    /// Stored as a floating-point number.
    public var databaseValue: DatabaseValue { .real(self) }
}

extension String: Bindable {
    /// Stored as text.
    public var databaseValue: DatabaseValue { .text(self) }
}

extension [UInt8]: Bindable {
    /// Stored as a blob.
    public var databaseValue: DatabaseValue { .blob(self) }
}

extension Optional: Bindable where Wrapped: Bindable {
    /// NULL for nil.
    public var databaseValue: DatabaseValue { self?.databaseValue ?? .null }
}
