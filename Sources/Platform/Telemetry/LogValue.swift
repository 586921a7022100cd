/// Value of a field in a log line.
public enum LogValue: Hashable, Sendable {
    case text(String)
    case integer(Int64)
    case real(Double)
    case boolean(Bool)

    /// The description of an id, a path, a reason and so on.
    public init(_ value: some CustomStringConvertible) { self = .text(value.description) }

    /// A whole number, clamped to 64 bits.
    public init(_ value: some BinaryInteger) { self = .integer(Int64(clamping: value)) }
}

extension LogValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A number with a fraction.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// A boolean.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}
