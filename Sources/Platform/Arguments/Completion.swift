/// The shells with a completion script.
public enum Shell: String, Hashable, Sendable, CaseIterable, ArgumentValue {
    case bash, zsh, fish
}

extension Program {
    /// A script that completes commands, options and their values.
    public func completionScript(for shell: Shell) -> String {
        let commands = CompletedCommand.all(of: self)
        return switch shell {
        case .bash: BashCompletion(name: root.name, commands: commands).script
        case .zsh: ZshCompletion(name: root.name, commands: commands).script
        case .fish: FishCompletion(name: root.name, commands: commands).script
        }
    }
}

struct CompletedCommand {
    /// Names from the program to the command.
    let path: [String]
    let summary: String
    let subcommands: [(name: String, summary: String)]
    let options: [Declaration]
    let positionals: [Declaration]

    var words: String { path.joined(separator: " ") }

    /// Every command that is not hidden, groups before their subcommands.
    static func all(of program: Program) -> [CompletedCommand] {
        let shared = program.shared.map(\.declaration).filter { !$0.isHidden }
        func visit(_ command: Command, _ path: [String]) -> [CompletedCommand] {
            let here = path + [command.name]
            let shown = command.shownDeclarations
            let this = CompletedCommand(
                path: here, summary: command.summary,
                subcommands: command.shownSubcommands.map { ($0.name, $0.summary) },
                options: shown.filter { !$0.isPositional } + shared + [help],
                positionals: shown.filter(\.isPositional))
            return [this] + command.shownSubcommands.flatMap { visit($0, here) }
        }
        return visit(program.root, [])
    }

    private static let help = Declaration(kind: .flag, name: "help", short: "h", help: "Show this help.")
}

/// Quotes text for shells. All use single quotes, but differ in how they escape one.
enum ShellQuote {
    static func posix(_ text: String) -> String { "'" + replace(text, "'", #"'\''"#) + "'" }
    static func fish(_ text: String) -> String { "'" + replace(replace(text, #"\"#, #"\\"#), "'", #"\'"#) + "'" }

    static func replace(_ text: String, _ character: Character, _ replacement: String) -> String {
        text.split(separator: character, omittingEmptySubsequences: false).joined(separator: replacement)
    }

    /// The first sentence without full stop, for lists.
    static func firstSentence(_ text: String) -> String {
        let line = text.split(separator: "\n").first.map(String.init) ?? ""
        var sentence = ""
        for word in line.split(separator: " ") {
            sentence += (sentence.isEmpty ? "" : " ") + word
            if word.last == "." { break }
        }
        return sentence.last == "." ? String(sentence.dropLast()) : sentence
    }
}
