/// A type that can be given on the command line.
public protocol ArgumentValue: Sendable {
    /// Reads the bytes as they were given: what is on a command line need not be UTF-8.
    init(argument: [UInt8]) throws(InvalidArgument)

    /// All that can be given, where that is a short list; else empty.
    static var choices: [String] { get }

    /// How a default is shown in the help.
    var argumentText: String { get }
}

extension ArgumentValue {
    public static var choices: [String] { [] }
}

/// Why a value cannot be taken.
public struct InvalidArgument: Error, Hashable, Sendable {
    /// What would do, as the end of a sentence: `a whole number`.
    public let expected: String

    public init(_ expected: String) { self.expected = expected }
}

extension String: ArgumentValue {
    public init(argument: [UInt8]) throws(InvalidArgument) {
        guard let text = String(validating: argument, as: UTF8.self) else { throw InvalidArgument("text in UTF-8") }
        self = text
    }

    public var argumentText: String { self }
}

/// Whole numbers; a sign or a space more is no number.
extension ArgumentValue where Self: FixedWidthInteger {
    public init(argument: [UInt8]) throws(InvalidArgument) {
        guard let number = Self(String(decoding: argument, as: UTF8.self)) else {
            throw InvalidArgument("a whole number from \(Self.min) to \(Self.max)")
        }
        self = number
    }

    public var argumentText: String { String(self) }
}

extension Int: ArgumentValue {}
extension UInt32: ArgumentValue {}
extension UInt64: ArgumentValue {}

extension Double: ArgumentValue {
    public init(argument: [UInt8]) throws(InvalidArgument) {
        guard let number = Double(String(decoding: argument, as: UTF8.self)), number.isFinite else {
            throw InvalidArgument("a number")
        }
        self = number
    }

    public var argumentText: String {
        self == rounded() && abs(self) < 1e15 ? String(Int64(self)) : description
    }
}

/// An enumeration's raw values are its words.
extension ArgumentValue where Self: RawRepresentable<String> & CaseIterable {
    public init(argument: [UInt8]) throws(InvalidArgument) {
        guard let found = Self(rawValue: String(decoding: argument, as: UTF8.self)) else {
            throw InvalidArgument("one of " + Self.choices.joined(separator: ", "))
        }
        self = found
    }

    public static var choices: [String] { allCases.map(\.rawValue) }

    public var argumentText: String { rawValue }
}

/// A file's path: bytes, because file names on Linux need not be UTF-8.
public struct PathArgument: ArgumentValue, Hashable, CustomStringConvertible {
    public let bytes: [UInt8]

    public init(argument: [UInt8]) throws(InvalidArgument) {
        guard !argument.isEmpty else { throw InvalidArgument("a path, and not empty") }
        self.bytes = argument
    }

    /// For defaults.
    public init(text: String) { bytes = Array(text.utf8) }

    public var argumentText: String { description }
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}
