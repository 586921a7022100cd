struct BashCompletion {
    let name: String
    let commands: [CompletedCommand]

    /// bash splits words at `=`, so `--option=va` arrives as three words, which the script joins again.
    var script: String {
        """
        # Completion of \(name) for bash. Load it with: source <(\(name) completion bash)
        _\(name)() {
            local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
            local command=\(name) words= paths= index
            if [[ $current == = ]]; then
                current=
            elif [[ $previous == = ]]; then
                previous=${COMP_WORDS[COMP_CWORD-2]}
            fi
            for ((index = 1; index < COMP_CWORD; index++)); do
                case "$command ${COMP_WORDS[index]}" in
                    \(subcommandPatterns)) command="$command ${COMP_WORDS[index]}" ;;
                esac
            done
            case "$command $previous" in
        \(valueCases)
                *)
                    case $command in
        \(commandCases)
                    esac
                    ;;
            esac
            COMPREPLY=($(compgen -W "$words" -- "$current"))
            case $paths in
                files) COMPREPLY+=($(compgen -f -- "$current")); compopt -o filenames ;;
                folders) COMPREPLY+=($(compgen -d -- "$current")); compopt -o filenames ;;
            esac
        }
        complete -F _\(name) \(name)

        """
    }

    private var subcommandPatterns: String {
        commands.dropFirst().map { ShellQuote.posix($0.words) }.joined(separator: " | ")
    }

    private var valueCases: String {
        commands.flatMap { command in
            command.options.filter(\.takesValue).map { option in
                let names = ["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? [])
                let patterns = names.map { ShellQuote.posix("\(command.words) \($0)") }.joined(separator: " | ")
                return "        \(patterns)) \(assignments(words: [], [option.completion])) ;;"
            }
        }.joined(separator: "\n")
    }

    private var commandCases: String {
        commands.map { command in
            let words = command.subcommands.map(\.name) + command.options.map { "--\($0.name)" }
            let assigned = assignments(words: words, command.positionals.map(\.completion))
            return "                \(ShellQuote.posix(command.words))) \(assigned) ;;"
        }.joined(separator: "\n")
    }

    private func assignments(words: [String], _ completions: [Declaration.Completion]) -> String {
        var words = words
        var paths = ""
        for completion in completions {
            switch completion {
            case .nothing: break
            case .files: paths = "files"
            case .folders: paths = "folders"
            case .words(let more): words += more
            case .wordsOrFiles(let more):
                words += more
                paths = "files"
            }
        }
        return "words=\(ShellQuote.posix(words.joined(separator: " "))) paths=\(paths)"
    }
}
