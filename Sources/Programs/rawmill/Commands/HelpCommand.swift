import Arguments
import CommandLineTool
import Telemetry

/// `rawmill help [COMMAND…]`: the same as `--help` after the command.
enum HelpCommand {
    static let names: Parameter<[String]> = .positionals(
        "COMMAND", atLeastOne: false, help: "The command, such as: library list.")

    static let command: Command = Command(
        "help", summary: "Show help for a command.", parameters: [names]
    ) { values in
        let program = RawmillCommands.program
        let path = try program.commands(along: values[names])
        TextOutput.standardOutput.write(program.help(for: path, columns: min(Terminal(descriptor: 1).columns, 80)))
        return ExitStatus.done
    }
}

enum VersionCommand {
    static let command: Command = Command("version", summary: "Show the version of Rawmill and of its engine.") {
        _ in
        TextOutput.standardOutput.write(line: RawmillCommands.versionText)
        return ExitStatus.done
    }
}
