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

    /// Commands of a group that its help lists under a title.
    public struct Section: Sendable {
        /// The title, without a colon.
        public let title: String
        /// The commands, in the order of the help.
        public let commands: [Command]

        /// Creates a section from its title and commands.
        public init(_ title: String, _ commands: [Command]) {
            self.title = title
            self.commands = commands
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
    /// The commands of a group, as its help lists them. Empty for a command that runs.
    public let sections: [Section]
    /// Words that people type for this command. The error for an unknown command suggests it.
    public let synonyms: [String]
    /// Whether help and completion leave the command out, because few people need it.
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
    ///   - synonyms: words that people type for it.
    ///   - isHidden: whether help and completion leave it out.
    ///   - action: does the work and returns the exit status.
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

    /// Creates a group, whose help lists its commands under one title. Without a command, it shows its help.
    public init(
        _ name: String, summary: String, discussion: String = "", examples: [Example] = [], subcommands: [Command]
    ) {
        self.init(
            name, summary: summary, discussion: discussion, examples: examples,
            sections: [Section("Commands", subcommands)])
    }

    /// Creates a group whose help lists its commands in sections. Without a command, it shows its help.
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

    /// The commands of a group. Empty for a command that runs.
    public var subcommands: [Command] { sections.flatMap(\.commands) }

    var shownSubcommands: [Command] { subcommands.filter { !$0.isHidden } }

    /// The command of a group that a mistyped word, or a word for the same thing, may mean.
    func nearest(to word: String) -> String? {
        subcommands.first { $0.synonyms.contains(word) }?.name
            ?? Suggestion.nearest(to: word, among: shownSubcommands.map(\.name))
    }

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

    /// The commands along a path of subcommand names, the root first.
    ///
    /// - Throws: `UsageError` if a name is unknown.
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
