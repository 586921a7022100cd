/// A command, or a group of subcommands.
public struct Command: Sendable {
    /// Does the command's work and returns the exit status.
    public typealias Action = @Sendable (ArgumentValues) async throws -> Int32

    /// An example in the help.
    public struct Example: Hashable, Sendable {
        /// The command line, as one would type it.
        public let line: String
        /// What it does, in a few words.
        public let purpose: String

        /// Creates an example from its command line and what that does.
        public init(_ line: String, _ purpose: String) {
            self.line = line
            self.purpose = purpose
        }
    }

    /// The command's name. The root's name is the program's.
    public let name: String
    /// What the command does, in one sentence.
    public let summary: String
    /// Paragraphs that the help shows after the examples. Empty for none.
    public let discussion: String
    /// Examples for the help.
    public let examples: [Example]
    /// The options and positional arguments. Empty for a group.
    public let parameters: [any AnyParameter]
    /// The commands of a group. Empty for a command that runs.
    public let subcommands: [Command]
    /// Whether help and completion leave the command out, because only the program itself uses it.
    public let isHidden: Bool
    /// What runs the command; nil for a group.
    public let action: Action?

    /// Creates a command that runs.
    ///
    /// - Parameters:
    ///   - summary: what it does, in one sentence.
    ///   - discussion: paragraphs for the end of the help.
    ///   - examples: examples for the help.
    ///   - parameters: the options and positional arguments.
    ///   - isHidden: whether help and completion leave it out.
    ///   - action: does the work and returns the exit status.
    public init(
        _ name: String, summary: String, discussion: String = "", examples: [Example] = [],
        parameters: [any AnyParameter] = [], isHidden: Bool = false, action: @escaping Action
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.examples = examples
        self.parameters = parameters
        self.subcommands = []
        self.isHidden = isHidden
        self.action = action
    }

    /// Creates a group. On the command line, one of its subcommands must follow.
    public init(
        _ name: String, summary: String, discussion: String = "", examples: [Example] = [], subcommands: [Command]
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.examples = examples
        self.parameters = []
        self.subcommands = subcommands
        self.isHidden = false
        self.action = nil
    }

    var shownSubcommands: [Command] { subcommands.filter { !$0.isHidden } }

    var shownDeclarations: [Declaration] { parameters.map(\.declaration).filter { !$0.isHidden } }
}

/// A program's command line: the tree of commands, and the options that all of them take.
public struct Program: Sendable {
    /// The command with the program's name. All others are below it.
    public let root: Command
    /// The text for `--version`.
    public let version: String
    /// Options that every command takes.
    public let shared: [any AnyParameter]

    /// Creates a program.
    ///
    /// - Parameters:
    ///   - root: the command with the program's name.
    ///   - version: the text for `--version`.
    ///   - shared: options that every command takes.
    public init(_ root: Command, version: String, shared: [any AnyParameter] = []) {
        self.root = root
        self.version = version
        self.shared = shared
    }

    /// The commands along a path of subcommand names, the root first. Nil if a name is unknown.
    public func commands(along path: [String]) -> [Command]? {
        var found = [root]
        for name in path {
            guard let next = found.last?.subcommands.first(where: { $0.name == name }) else { return nil }
            found.append(next)
        }
        return found
    }
}
