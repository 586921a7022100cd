import Arguments
import CommandLineTool
import Telemetry

/// `rawmill help [COMMAND…]`: the same as `--help` after the command.
enum HelpCommand {
    static let names: Parameter<[String]> = .positionals(
        "COMMAND", atLeastOne: false, help: "The command, word by word: library list.")

    static let command: Command = Command(
        "help", summary: "Shows the help of a command.", parameters: [names]
    ) { values in
        let program = RawmillCommands.program
        guard let path = program.commands(along: values[names]) else {
            let name = TerminalText.escape(values[names].joined(separator: " "))
            throw UsageError("There is no command \"\(name)\".", command: values.command)
        }
        TextOutput.standardOutput.write(program.help(for: path, columns: min(Terminal(descriptor: 1).columns, 80)))
        return ExitStatus.done
    }
}

/// `rawmill version`.
enum VersionCommand {
    static let command: Command = Command("version", summary: "Shows the version of the program and of its engine.") {
        _ in
        TextOutput.standardOutput.write(line: RawmillCommands.versionText)
        return ExitStatus.done
    }
}
