/// A mistake in the command line, the environment or the settings file, with its remedy.
public struct UsageError: Error, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Problem: Sendable {
        /// No such option. `near` is a similar one.
        case unknownOption(String, near: String?)
        /// No such command. `near` is a similar one.
        case unknownCommand(String, near: String?)
        /// A required parameter is not given.
        case missing(Declaration)
        /// An option is given without a value. `next` is the following argument, if it looks like an option.
        case missingValue(Declaration, next: String?)
        /// A flag is given with a value.
        case unwantedValue(Declaration)
        /// A value is of the wrong type or breaks a rule. `expected` ends a sentence that begins with "must be".
        case invalid(given: RawArgument, expected: String)
        /// A word that no positional parameter takes.
        case surplus(String)
        /// A mistake that only the command's own checks find. The message is a sentence.
        case other(String)
    }

    /// What is wrong.
    public let problem: Problem
    /// The names of the command that was being parsed: `["rawmill", "convert"]`.
    public internal(set) var command: [String] = []

    init(_ problem: Problem) { self.problem = problem }

    /// Creates an error for a command's own checks.
    ///
    /// - Parameters:
    ///   - message: a sentence.
    ///   - command: the names of the command.
    public init(_ message: String, command: [String] = []) {
        self.problem = .other(message)
        self.command = command
    }

    /// What is wrong and how to correct it, in one or two sentences.
    public var description: String {
        switch problem {
        case .unknownOption(let name, let near):
            return "\(Self.shown(name)) is not an option here." + Self.hint(near)
        case .unknownCommand(let name, let near):
            return "\"\(Self.shown(name))\" is not a command." + Self.hint(near)
        case .missing(let declaration): return Self.missing(declaration)
        case .missingValue(let declaration, let next):
            let remedy = next.map { " Where it begins with a dash, write \(declaration.label)=\($0)." } ?? ""
            return "\(declaration.label) needs a value: \(declaration.plainSignature).\(remedy)"
        case .unwantedValue(let declaration): return "\(declaration.label) is a switch and takes no value."
        case .invalid(let given, let expected):
            return "\(given.location) must be \(expected), not \"\(Self.shown(given.bytes))\"."
        case .surplus(let word): return "\"\(Self.shown(word))\" is one word too many."
        case .other(let message): return message
        }
    }

    private static func missing(_ declaration: Declaration) -> String {
        // A positional argument has no option name and no variable to suggest.
        if declaration.isPositional { return "\(declaration.label) is missing." }
        let variable = declaration.environment.map { ", or set \($0)" } ?? ""
        return "\(declaration.label) is missing: give \(declaration.plainSignature)\(variable)."
    }

    private static func hint(_ near: String?) -> String { near.map { " Did you mean \($0)?" } ?? "" }

    /// The typed text without credentials, and with `?` for control characters, so it is safe to print on a terminal.
    static func shown(_ bytes: [UInt8]) -> String { shown(String(decoding: bytes, as: UTF8.self)) }

    private static func shown(_ text: String) -> String {
        Credentials.hidden(in: text).unicodeScalars.map { scalar in
            scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) ? "?" : String(scalar)
        }.joined()
    }
}
