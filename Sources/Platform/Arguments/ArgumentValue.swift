/// A type whose values can be written on the command line.
public protocol ArgumentValue: Sendable {
    /// Parses the bytes of an argument. They need not be UTF-8.
    ///
    /// - Throws: `InvalidArgument` if the bytes are not a value of this type.
    init(argument: [UInt8]) throws(InvalidArgument)

    /// The accepted texts if they are a short list, otherwise empty. Help, completion and messages show them.
    static var choices: [String] { get }

    /// The value as the help shows it when it is a default.
    var argumentText: String { get }
}

extension ArgumentValue {
    /// No list: most types accept more values than can be listed.
    public static var choices: [String] { [] }
}

/// The error for an argument that is not a value of the expected type.
public struct InvalidArgument: Error, Hashable, Sendable {
    /// What would be valid, as the end of a sentence that begins with "must be": `a whole number`.
    public let expected: String

    /// Creates the error.
    ///
    /// - Parameter expected: what would be valid, as the end of a sentence that begins with "must be".
    public init(_ expected: String) { self.expected = expected }
}

extension String: ArgumentValue {
    /// Takes the argument as text.
    ///
    /// - Throws: `InvalidArgument` if the bytes are not UTF-8.
    public init(argument: [UInt8]) throws(InvalidArgument) {
        guard let text = String(validating: argument, as: UTF8.self) else { throw InvalidArgument("text in UTF-8") }
        self = text
    }

    /// The text itself.
    public var argumentText: String { self }
}

/// Whole numbers in decimal, with an optional sign and no spaces.
extension ArgumentValue where Self: FixedWidthInteger {
    /// Parses a whole number.
    ///
    /// - Throws: `InvalidArgument` if the text is not a whole number or does not fit the type.
    public init(argument: [UInt8]) throws(InvalidArgument) {
        guard let number = Self(String(decoding: argument, as: UTF8.self)) else {
            throw InvalidArgument("a whole number from \(Self.min) to \(Self.max)")
        }
        self = number
    }

    /// The number in decimal.
    public var argumentText: String { String(self) }
}

/// A number of the platform's word size.
extension Int: ArgumentValue {}
/// An unsigned number of 32 bits.
extension UInt32: ArgumentValue {}
/// An unsigned number of 64 bits.
extension UInt64: ArgumentValue {}

extension Double: ArgumentValue {
    /// Parses a finite number.
    ///
    /// - Throws: `InvalidArgument` for any other text, infinity and NaN included.
    public init(argument: [UInt8]) throws(InvalidArgument) {
        guard let number = Double(String(decoding: argument, as: UTF8.self)), number.isFinite else {
            throw InvalidArgument("a number")
        }
        self = number
    }

    /// The number; a whole number is shown without a decimal point.
    public var argumentText: String {
        self == rounded() && abs(self) < 1e15 ? String(Int64(self)) : description
    }
}

/// Enumerations of strings. The raw values are the accepted texts.
extension ArgumentValue where Self: RawRepresentable<String> & CaseIterable {
    /// Finds the case with this raw value.
    ///
    /// - Throws: `InvalidArgument`, with the list of choices, if no case has it.
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

/// A path, kept as bytes because file names on Linux need not be UTF-8.
public struct PathArgument: ArgumentValue, Hashable, CustomStringConvertible {
    /// The bytes of the path. Never empty if the path came from the command line.
    public let bytes: [UInt8]

    /// Takes the argument as a path.
    ///
    /// - Throws: `InvalidArgument` if the argument is empty.
    public init(argument: [UInt8]) throws(InvalidArgument) {
        guard !argument.isEmpty else { throw InvalidArgument("a path, and not empty") }
        self.bytes = argument
    }

    /// A path from text, for defaults.
    public init(text: String) { bytes = Array(text.utf8) }

    /// The path as text, as in `description`.
    public var argumentText: String { description }
    /// The path as text, with U+FFFD for bytes that are not UTF-8.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}
