/// A mistake in the command line, the environment or the settings file, with its remedy.
public struct UsageError: Error, Sendable, CustomStringConvertible {
    /// Kinds of mistakes.
    public enum Problem: Sendable {
        /// Unknown option, and a similar one.
        case unknownOption(String, near: String?)
        /// Unknown command, and a similar one.
        case unknownCommand(String, near: String?)
        case missing(Declaration)
        /// An option without a value. `next` is the following argument if it looks like an option.
        case missingValue(Declaration, next: String?)
        case unwantedValue(Declaration)
        /// A value of the wrong type or against a rule. `expected` completes "must be".
        case invalid(given: RawArgument, expected: String)
        /// A word that no positional parameter takes.
        case surplus(String)
        /// A mistake found by the command's own checks, as a sentence.
        case other(String)
    }

    /// The mistake.
    public let problem: Problem
    /// Names from the program to the command: `["rawmill", "convert"]`.
    public internal(set) var command: [String] = []

    init(_ problem: Problem) { self.problem = problem }

    /// Creates an error for a command's own checks. The message is a sentence.
    public init(_ message: String, command: [String] = []) {
        self.problem = .other(message)
        self.command = command
    }

    /// Cause and remedy, in one or two sentences.
    public var description: String {
        switch problem {
        case .unknownOption(let name, let near):
            return "\(Self.shown(name)) is not an option here." + Self.hint(near)
        case .unknownCommand(let name, let near):
            return "\"\(Self.shown(name))\" is not a command." + Self.hint(near)
        case .missing(let declaration): return Self.missing(declaration)
        case .missingValue(let declaration, let next):
            let remedy = next.map { " If it begins with a dash, write \(declaration.label)=\($0)." } ?? ""
            return "\(declaration.label) needs a value: \(declaration.plainSignature).\(remedy)"
        case .unwantedValue(let declaration): return "\(declaration.label) is a switch and takes no value."
        case .invalid(let given, let expected):
            return "\(given.location) must be \(expected), not \"\(Self.shown(given.bytes))\"."
        case .surplus(let word): return "Unexpected argument \"\(Self.shown(word))\"."
        case .other(let message): return message
        }
    }

    private static func missing(_ declaration: Declaration) -> String {
        // A positional argument has no option name or variable to suggest.
        if declaration.isPositional { return "\(declaration.label) is missing." }
        let variable = declaration.environment.map { ", or set \($0)" } ?? ""
        return "\(declaration.label) is missing: give \(declaration.plainSignature)\(variable)."
    }

    private static func hint(_ near: String?) -> String { near.map { " Did you mean \($0)?" } ?? "" }

    /// The text without credentials, and with `?` for control characters, which are unsafe to print.
    static func shown(_ bytes: [UInt8]) -> String { shown(String(decoding: bytes, as: UTF8.self)) }

    private static func shown(_ text: String) -> String {
        Credentials.hidden(in: text).unicodeScalars.map { scalar in
            scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) ? "?" : String(scalar)
        }.joined()
    }
}
