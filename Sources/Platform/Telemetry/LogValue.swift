/// What a key of a log line can hold.
public enum LogValue: Hashable, Sendable {
    case text(String)
    case integer(Int64)
    case real(Double)
    case boolean(Bool)

    /// Whatever describes itself: ids, paths, reasons.
    public init(_ value: some CustomStringConvertible) { self = .text(value.description) }

    /// Values that do not fit stand as the nearest that does.
    public init(_ value: some BinaryInteger) { self = .integer(Int64(clamping: value)) }
}

extension LogValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral
{
    public init(stringLiteral value: String) { self = .text(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .real(value) }
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}
