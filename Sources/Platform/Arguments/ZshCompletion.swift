/// Completion script for zsh: one function per command, made of `_arguments` specifications.
struct ZshCompletion {
    let name: String
    let commands: [CompletedCommand]

    var script: String {
        """
        #compdef \(name)
        # Completion of \(name) for zsh. Save it as _\(name) in a folder of $fpath, or load it with:
        #   source <(\(name) completion zsh)

        \(commands.map(function).joined(separator: "\n\n"))

        if [ "$funcstack[1]" = _\(name) ]; then
            _\(name) "$@"
        else
            compdef _\(name) \(name)
        fi

        """
    }

    private func functionName(_ path: [String]) -> String { "_" + path.joined(separator: "_") }

    private func function(_ command: CompletedCommand) -> String {
        command.subcommands.isEmpty ? leaf(command) : group(command)
    }

    private func leaf(_ command: CompletedCommand) -> String {
        let specifications = command.options.flatMap(option) + command.positionals.map(positional)
        return """
            \(functionName(command.path))() {
                _arguments -s -S \\
            \(specifications.map { "        \($0)" }.joined(separator: " \\\n"))
            }
            """
    }

    private func group(_ command: CompletedCommand) -> String {
        let lines = command.subcommands.map { entry in
            "        \(ShellQuote.posix("\(entry.name):\(escaped(ShellQuote.firstSentence(entry.summary)))"))"
        }
        let cases = command.subcommands.map { entry in
            "                \(entry.name)) \(functionName(command.path + [entry.name])) ;;"
        }
        let options = command.options.flatMap(option).map { "        \($0) \\" }
        return """
            \(functionName(command.path))() {
                local state line curcontext=$curcontext
                local -a subcommands=(
            \(lines.joined(separator: "\n"))
                )
                _arguments -C \\
            \(options.joined(separator: "\n"))
                    '1:command:->command' '*::argument:->argument'
                case $state in
                    command) _describe command subcommands ;;
                    argument)
                        case $line[1] in
            \(cases.joined(separator: "\n"))
                        esac
                        ;;
                esac
            }
            """
    }

    private func option(_ option: Declaration) -> [String] {
        let help = "[\(escaped(ShellQuote.firstSentence(option.help)))]"
        let value =
            switch option.kind {
            case .option(let placeholder): ":\(escaped(placeholder)):\(action(option.completion))"
            case .flag, .positional: ""
            }
        let long = "--\(option.name)\(option.takesValue ? "=" : "")"
        let short = option.short.map { "-\($0)\(option.takesValue ? "+" : "")" }
        return ([long] + (short.map { [$0] } ?? [])).map { ShellQuote.posix($0 + help + value) }
    }

    private func positional(_ declaration: Declaration) -> String {
        ShellQuote.posix("\(declaration.repeats ? "*" : ""):\(declaration.name):\(action(declaration.completion))")
    }

    private func action(_ completion: Declaration.Completion) -> String {
        switch completion {
        case .nothing: " "
        case .files: "_files"
        case .folders: "_files -/"
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .wordsOrFiles(let words): #"{_alternative "w:word:(\#(words.joined(separator: " ")))" "f:file:_files"}"#
        }
    }

    /// Escapes colons and brackets for use in a specification.
    private func escaped(_ text: String) -> String {
        [":", "[", "]"].reduce(text) { ShellQuote.replace($0, Character($1), "\\" + $1) }
    }
}
