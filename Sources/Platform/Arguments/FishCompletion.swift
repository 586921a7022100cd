/// Completion script for fish: one `complete` line for each subcommand, option and positional argument.
struct FishCompletion {
    let name: String
    let commands: [CompletedCommand]

    var script: String {
        """
        # Completion of \(name) for fish. Load it with: \(name) completion fish | source
        function __\(name)_at
            set -l command \(name)
            for word in (commandline -opc)[2..-1]
                contains -- "$command $word" \(known) && set command "$command $word"
            end
            test "$command" = "$argv"
        end
        complete -c \(name) -f
        \(commands.flatMap(lines).joined(separator: "\n"))

        """
    }

    private var known: String { commands.dropFirst().map { ShellQuote.fish($0.words) }.joined(separator: " ") }

    private func lines(_ command: CompletedCommand) -> [String] {
        let start = "complete -c \(name) -n \(ShellQuote.fish("__\(name)_at \(command.words)"))"
        let subcommands = command.subcommands.map { entry in
            "\(start) -a \(entry.name) -d \(ShellQuote.fish(ShellQuote.firstSentence(entry.summary)))"
        }
        let options = command.options.map { option in
            let short = option.short.map { " -s \($0)" } ?? ""
            let help = ShellQuote.fish(ShellQuote.firstSentence(option.help))
            return "\(start) -l \(option.name)\(short)\(option.takesValue ? value(option) : "") -d \(help)"
        }
        let positionals = command.positionals.map(completion).filter { !$0.isEmpty }.map { start + $0 }
        return subcommands + options + positionals
    }

    /// Flags for an option's value. `-x` keeps fish from suggesting files.
    private func value(_ option: Declaration) -> String {
        switch option.completion {
        case .files, .wordsOrFiles: " -r" + completion(option)
        case .nothing, .folders, .words: " -x" + completion(option)
        }
    }

    private func completion(_ declaration: Declaration) -> String {
        switch declaration.completion {
        case .nothing: ""
        case .files: " -F"
        case .folders: " -a '(__fish_complete_directories)'"
        case .words(let words): " -a \(ShellQuote.fish(words.joined(separator: " ")))"
        case .wordsOrFiles(let words): " -F -a \(ShellQuote.fish(words.joined(separator: " ")))"
        }
    }
}
