import Arguments
import Telemetry

/// One call of the program: from the command line to the exit status.
enum CommandLineRun {
    static func status(_ arguments: [[UInt8]]) async -> Int32 {
        do {
            let program = RawmillCommands.program
            switch try program.parse(
                arguments, environment: CommandLineBytes.environment, settings: SettingsOption.open)
            {
            case .run(let action, let values): return try await action(values)
            case .help(let path):
                let columns = min(Terminal(descriptor: 1).columns, 80)
                TextOutput.standardOutput.write(RawmillCommands.program.help(for: path, columns: columns))
            case .version: TextOutput.standardOutput.write(line: Version.text)
            }
            return ExitStatus.done
        } catch {
            return report(error)
        }
    }

    /// Says what went wrong, and answers the exit status that means it.
    private static func report(_ error: any Error) -> Int32 {
        guard let usage = error as? UsageError else {
            let failure = CommandFailure(error)
            TextOutput.standardError.write(line: "rawmill: \(Printable.text(failure.message))")
            return failure.status
        }
        let command = usage.command.isEmpty ? "rawmill" : usage.command.joined(separator: " ")
        TextOutput.standardError.write(line: "\(command): \(Printable.text(usage.description))")
        TextOutput.standardError.write(line: "`\(command) --help` shows what can be given.")
        return ExitStatus.usage
    }
}
