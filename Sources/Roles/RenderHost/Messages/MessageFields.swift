/// A message is no answer.
public struct InvalidAnswer: Error {
    /// Says no more.
    public init() {}
}

/// Writes a message field by field: numbers in eight bytes, little-endian, and everything else after its length.
public struct FieldWriter {
    /// What was written so far.
    public private(set) var bytes: [UInt8] = []

    /// Has nothing yet.
    public init() {}

    /// Writes a number.
    public mutating func number(_ value: UInt64) {
        for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
    }

    /// Writes a number.
    public mutating func number(_ value: Int) { number(UInt64(bitPattern: Int64(value))) }

    /// Writes yes or no.
    public mutating func flag(_ value: Bool) { number(value ? 1 : 0) }

    /// Writes bytes.
    public mutating func blob(_ value: some Collection<UInt8>) {
        number(UInt64(value.count))
        bytes += value
    }

    /// Writes a text.
    public mutating func text(_ value: String) { blob(Array(value.utf8)) }

    /// Nothing, or the value.
    public mutating func optional<Value>(_ value: Value?, _ write: (inout FieldWriter, Value) -> Void) {
        number(value == nil ? 0 : 1)
        if let value { write(&self, value) }
    }
}

/// Reads what `FieldWriter` wrote. The bytes come from a process that a hostile file may have taken over: they may be anything.
public struct FieldReader {
    private var rest: ArraySlice<UInt8>

    /// - Parameter bytes: a whole message.
    public init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// The next number.
    public mutating func number() throws(InvalidAnswer) -> UInt64 {
        let bytes = try take(8)
        return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The next number.
    ///
    /// - Throws: `InvalidAnswer` also for one that the type does not hold.
    public mutating func number<Number: FixedWidthInteger>(_: Number.Type) throws(InvalidAnswer) -> Number {
        let number = try number()
        let value = Number.isSigned ? Number(exactly: Int64(bitPattern: number)) : Number(exactly: number)
        guard let value else { throw InvalidAnswer() }
        return value
    }

    /// The next yes or no.
    public mutating func flag() throws(InvalidAnswer) -> Bool {
        switch try number() {
        case 0: return false
        case 1: return true
        default: throw InvalidAnswer()
        }
    }

    /// The next bytes.
    public mutating func blob() throws(InvalidAnswer) -> [UInt8] { Array(try take(try number(Int.self))) }

    /// The next text.
    ///
    /// - Throws: `InvalidAnswer` also for what is no UTF-8.
    public mutating func text() throws(InvalidAnswer) -> String {
        guard let text = String(validating: try blob(), as: UTF8.self) else { throw InvalidAnswer() }
        return text
    }

    /// What the closure reads, or nil where nothing was written.
    public mutating func optional<Value>(
        _ read: (inout FieldReader) throws(InvalidAnswer) -> Value
    ) throws(InvalidAnswer) -> Value? {
        switch try number() {
        case 0: return nil
        case 1: return try read(&self)
        default: throw InvalidAnswer()
        }
    }

    /// - Throws: if there is more.
    public func end() throws(InvalidAnswer) { if !rest.isEmpty { throw InvalidAnswer() } }

    private mutating func take(_ count: Int) throws(InvalidAnswer) -> ArraySlice<UInt8> {
        guard count >= 0, count <= rest.count else { throw InvalidAnswer() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
