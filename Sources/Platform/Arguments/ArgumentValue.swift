/// A type that can be parsed from a command-line argument.
public protocol ArgumentValue: Sendable {
    /// Parses an argument, which need not be UTF-8. Throws `InvalidArgument` if it is not a value of this type.
    init(argument: [UInt8]) throws(InvalidArgument)

    /// The accepted texts if they are a short list, otherwise empty. Shown in help, completion and messages.
    static var choices: [String] { get }

    /// The value as the help shows it as a default.
    var argumentText: String { get }
}

extension ArgumentValue {
    /// None: most types accept more values than can be listed.
    public static var choices: [String] { [] }
}

/// An argument that is not a value of the expected type.
public struct InvalidArgument: Error, Hashable, Sendable {
    /// What would be valid, completing "must be": `a whole number`.
    public let expected: String

    /// Creates the error.
    ///
    /// - Parameter expected: what would be valid, completing "must be".
    public init(_ expected: String) { self.expected = expected }
}

extension String: ArgumentValue {
    /// Accepts any UTF-8. Throws `InvalidArgument` for other bytes.
    public init(argument: [UInt8]) throws(InvalidArgument) {
        guard let text = String(validating: argument, as: UTF8.self) else { throw InvalidArgument("text in UTF-8") }
        self = text
    }

    /// The text.
    public var argumentText: String { self }
}

/// Decimal numbers with an optional sign and no spaces.
extension ArgumentValue where Self: FixedWidthInteger {
    /// Parses a whole number. Throws `InvalidArgument` if it is not a number or out of range.
    public init(argument: [UInt8]) throws(InvalidArgument) {
        guard let number = Self(String(decoding: argument, as: UTF8.self)) else {
            throw InvalidArgument("a whole number from \(Self.min) to \(Self.max)")
        }
        self = number
    }

    /// In decimal.
    public var argumentText: String { String(self) }
}

extension Int: ArgumentValue {}
extension UInt32: ArgumentValue {}
extension UInt64: ArgumentValue {}

extension Double: ArgumentValue {
    /// Parses a finite number. Throws `InvalidArgument` for other text, infinity and NaN.
    public init(argument: [UInt8]) throws(InvalidArgument) {
        guard let number = Double(String(decoding: argument, as: UTF8.self)), number.isFinite else {
            throw InvalidArgument("a number")
        }
        self = number
    }

    /// Whole numbers have no decimal point.
    public var argumentText: String {
        self == rounded() && abs(self) < 1e15 ? String(Int64(self)) : description
    }
}

/// The raw values are the accepted texts.
extension ArgumentValue where Self: RawRepresentable<String> & CaseIterable {
    /// Finds the case with this raw value. Throws `InvalidArgument` with the list of choices.
    public init(argument: [UInt8]) throws(InvalidArgument) {
        guard let found = Self(rawValue: String(decoding: argument, as: UTF8.self)) else {
            throw InvalidArgument("one of " + Self.choices.joined(separator: ", "))
        }
        self = found
    }

    /// The raw values of all cases.
    public static var choices: [String] { allCases.map(\.rawValue) }

    /// The raw value.
    public var argumentText: String { rawValue }
}

/// A path, as bytes because Linux file names need not be UTF-8.
public struct PathArgument: ArgumentValue, Hashable, CustomStringConvertible {
    /// Not empty if it came from the command line.
    public let bytes: [UInt8]

    /// Accepts any path. Throws `InvalidArgument` if it is empty.
    public init(argument: [UInt8]) throws(InvalidArgument) {
        guard !argument.isEmpty else { throw InvalidArgument("a path, and not empty") }
        self.bytes = argument
    }

    /// Creates a path from text, for defaults.
    public init(text: String) { bytes = Array(text.utf8) }

    /// Like `description`.
    public var argumentText: String { description }
    /// The path as text. Invalid UTF-8 becomes U+FFFD.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}
