internal import Spelling

/// A command, or a group of subcommands.
public struct Command: Sendable {
    /// Runs the command and returns the exit status.
    public typealias Action = @Sendable (ArgumentValues) async throws -> Int32

    /// An example in the help.
    public struct Example: Hashable, Sendable {
        /// The command line.
        public let line: String
        /// What it does, in a few words.
        public let purpose: String

        /// Creates an example.
        public init(_ line: String, _ purpose: String) {
            self.line = line
            self.purpose = purpose
        }
    }

    /// Commands listed under a title in their group's help.
    public struct Section: Sendable {
        /// Title without a colon.
        public let title: String
        /// Commands in the order of the help.
        public let commands: [Command]

        /// Creates a section.
        public init(_ title: String, _ commands: [Command]) {
            self.title = title
            self.commands = commands
        }
    }

    /// The root's name is the program's.
    public let name: String
    /// What the command does, in one sentence.
    public let summary: String
    /// Paragraphs after the examples in the help; may be empty.
    public let discussion: String
    /// Examples in the help.
    public let examples: [Example]
    /// Options and positional arguments; empty for a group.
    public let parameters: [any AnyParameter]
    /// A group's commands by section; empty for a command that runs.
    public let sections: [Section]
    /// Other words for this command, which the error for an unknown command maps to it.
    public let synonyms: [String]
    /// Whether help and completion omit the command.
    public let isHidden: Bool
    /// Runs the command; nil for a group.
    public let action: Action?

    /// Creates a command that runs.
    public init(
        _ name: String, summary: String, discussion: String = "", examples: [Example] = [],
        parameters: [any AnyParameter] = [], synonyms: [String] = [], isHidden: Bool = false,
        action: @escaping Action
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.examples = examples
        self.parameters = parameters
        self.sections = []
        self.synonyms = synonyms
        self.isHidden = isHidden
        self.action = action
    }

    /// Creates a group with a single section. Without a command, it shows its help.
    public init(
        _ name: String, summary: String, discussion: String = "", examples: [Example] = [], subcommands: [Command]
    ) {
        self.init(
            name, summary: summary, discussion: discussion, examples: examples,
            sections: [Section("Commands", subcommands)])
    }

    /// Creates a group. Without a command, it shows its help.
    public init(
        _ name: String, summary: String, discussion: String = "", examples: [Example] = [], sections: [Section]
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.examples = examples
        self.parameters = []
        self.sections = sections
        self.synonyms = []
        self.isHidden = false
        self.action = nil
    }

    /// The commands of a group; empty for a command that runs.
    public var subcommands: [Command] { sections.flatMap(\.commands) }

    var shownSubcommands: [Command] { subcommands.filter { !$0.isHidden } }

    /// The subcommand that a mistyped word or a synonym probably means.
    func nearest(to word: String) -> String? {
        subcommands.first { $0.synonyms.contains(word) }?.name
            ?? Suggestion.nearest(to: word, among: shownSubcommands.map(\.name))
    }

    var shownDeclarations: [Declaration] { parameters.map(\.declaration).filter { !$0.isHidden } }
}

/// A program's commands and global options.
public struct Program: Sendable {
    /// The command with the program's name, above all others.
    public let root: Command
    /// Text of `--version`.
    public let version: String
    /// Global options, accepted by every command.
    public let shared: [any AnyParameter]

    /// Creates a program.
    ///
    /// - Parameter shared: global options.
    public init(_ root: Command, version: String, shared: [any AnyParameter] = []) {
        self.root = root
        self.version = version
        self.shared = shared
    }

    /// The commands along a path of names, starting with the root. Throws `UsageError` for an unknown name.
    public func commands(along path: [String]) throws(UsageError) -> [Command] {
        var found = [root]
        for name in path {
            let group = found[found.count - 1]
            guard let next = group.subcommands.first(where: { $0.name == name }) else {
                throw UsageError(.unknownCommand(name, near: group.nearest(to: name)))
            }
            found.append(next)
        }
        return found
    }
}
