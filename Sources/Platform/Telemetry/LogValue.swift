/// The value of a field of a log line.
public enum LogValue: Hashable, Sendable {
    /// Any text.
    case text(String)
    /// A whole number.
    case integer(Int64)
    /// A number with a fraction.
    case real(Double)
    /// True or false.
    case boolean(Bool)

    /// The description of an id, a path, a reason and so on.
    public init(_ value: some CustomStringConvertible) { self = .text(value.description) }

    /// A whole number, clamped to 64 bits.
    public init(_ value: some BinaryInteger) { self = .integer(Int64(clamping: value)) }
}

extension LogValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral
{
    /// A text literal.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A whole number as a literal.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A number with a fraction, as a literal.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}
