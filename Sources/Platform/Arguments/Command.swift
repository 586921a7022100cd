/// A command, or a group of them.
public struct Command: Sendable {
    /// Does the command's work and answers the exit status.
    public typealias Action = @Sendable (ArgumentValues) async throws -> Int32

    public struct Example: Hashable, Sendable {
        public let line: String
        public let purpose: String

        public init(_ line: String, _ purpose: String) {
            self.line = line
            self.purpose = purpose
        }
    }

    public let name: String
    /// One sentence.
    public let summary: String
    /// Paragraphs after the options.
    public let discussion: String
    public let examples: [Example]
    public let parameters: [any AnyParameter]
    public let subcommands: [Command]
    /// Not in help and completion: for the program's own use.
    public let isHidden: Bool
    public let action: Action?

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

    /// A group: one of its subcommands has to follow.
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

/// The whole command line: the tree of commands, and the options each of them takes.
public struct Program: Sendable {
    public let root: Command
    public let version: String
    /// Options that may stand anywhere.
    public let shared: [any AnyParameter]

    public init(_ root: Command, version: String, shared: [any AnyParameter] = []) {
        self.root = root
        self.version = version
        self.shared = shared
    }

    /// The commands along a path of names, the root first; nil where there is none of a name.
    public func commands(along path: [String]) -> [Command]? {
        var found = [root]
        for name in path {
            guard let next = found.last?.subcommands.first(where: { $0.name == name }) else { return nil }
            found.append(next)
        }
        return found
    }
}
