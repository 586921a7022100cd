/// The command line cannot be understood: what is wrong, and what to write instead.
public struct UsageError: Error, Sendable, CustomStringConvertible {
    public enum Problem: Sendable {
        case unknownOption(String, near: String?)
        case unknownCommand(String, near: String?, known: [String])
        case missing(Declaration)
        case missingCommand(known: [String])
        case missingValue(Declaration, next: String?)
        case unwantedValue(Declaration)
        case invalid(given: RawArgument, expected: String)
        case surplus(String)
        /// Something only the command itself can see.
        case other(String)
    }

    public let problem: Problem
    /// The words of the command it happened in: `rawmill convert`.
    public internal(set) var command: [String] = []

    init(_ problem: Problem) { self.problem = problem }

    /// For a command's own checks; the message is a sentence.
    public init(_ message: String, command: [String] = []) {
        self.problem = .other(message)
        self.command = command
    }

    /// One or two sentences: what is wrong, and the remedy.
    public var description: String {
        switch problem {
        case .unknownOption(let name, let near):
            return "\(name) is not an option here." + Self.hint(near)
        case .unknownCommand(let name, let near, let known):
            return "\"\(name)\" is not a command." + (near == nil ? Self.list(known) : Self.hint(near))
        case .missing(let declaration): return Self.missing(declaration)
        case .missingCommand(let known): return "A command is missing." + Self.list(known)
        case .missingValue(let declaration, let next):
            let remedy = next.map { " Where it begins with a dash, write \(declaration.label)=\($0)." } ?? ""
            return "\(declaration.label) needs a value: \(declaration.plainSignature).\(remedy)"
        case .unwantedValue(let declaration): return "\(declaration.label) is a switch and takes no value."
        case .invalid(let given, let expected):
            return "\(given.place) must be \(expected), not \"\(Self.shown(given.bytes))\"."
        case .surplus(let word): return "\"\(word)\" is one word too many."
        case .other(let message): return message
        }
    }

    private static func missing(_ declaration: Declaration) -> String {
        // An argument's name is all there is to give.
        if declaration.isPositional { return "\(declaration.label) is missing." }
        let variable = declaration.environment.map { ", or set \($0)" } ?? ""
        return "\(declaration.label) is missing: give \(declaration.plainSignature)\(variable)."
    }

    private static func hint(_ near: String?) -> String { near.map { " Did you mean \($0)?" } ?? "" }

    private static func list(_ known: [String]) -> String { " There are: \(known.joined(separator: ", "))." }

    /// What was typed, safe for a terminal.
    static func shown(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.map { scalar in
            scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) ? "?" : String(scalar)
        }.joined()
    }
}
