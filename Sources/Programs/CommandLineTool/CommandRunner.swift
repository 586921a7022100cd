package import Arguments
internal import Glibc
internal import Telemetry

/// Runs one call of a program: from the command line to the exit status.
package struct CommandRunner: Sendable {
    /// As `Program.SettingsOpener`.
    package typealias SettingsOpener =
        @Sendable (_ value: (_ option: String) -> [UInt8]?) throws(UsageError) -> (any SettingsSource)?

    private let program: Program
    private let settings: SettingsOpener
    private let versionText: String
    private let prepare: @Sendable (ArgumentValues) -> Void

    /// - Parameters:
    ///   - versionText: what `--version` prints.
    ///   - settings: opens the settings file that the command line names; none by default.
    ///   - prepare: called before a command runs, for what all of them have in common.
    package init(
        _ program: Program, versionText: String,
        settings: @escaping SettingsOpener = { (_) throws(UsageError) in nil },
        prepare: @escaping @Sendable (ArgumentValues) -> Void = { _ in }
    ) {
        self.program = program
        self.versionText = versionText
        self.prepare = prepare
        self.settings = settings
    }

    /// Runs the command that the command line names, and ends the process with its status.
    ///
    /// Not `async`: the main thread is the one that waits for signals. (The runtime's own asynchronous main would leave it
    /// suspended with every signal unblocked.)
    package func main() -> Never {
        StandardDescriptors.open()
        // A reader that leaves (`| head`) is seen as a failed write, not as this process's end.
        signal(SIGPIPE, SIG_IGN)
        Interrupts.shared.block()
        Task.detached {
            exit(withOutput(await status(CommandLineBytes.arguments)))
        }
        Interrupts.shared.wait()
    }

    private func status(_ arguments: [[UInt8]]) async -> Int32 {
        do {
            switch try program.parse(arguments, environment: CommandLineBytes.environment, settings: settings) {
            case .run(let action, let values):
                prepare(values)
                return try await action(values)
            case .help(let path):
                let columns = min(Terminal(descriptor: 1).columns, 80)
                TextOutput.standardOutput.write(program.help(for: path, columns: columns))
            case .version: TextOutput.standardOutput.write(line: versionText)
            }
            return ExitStatus.done
        } catch {
            return report(error)
        }
    }

    /// A command whose output is not complete has not done all that it was asked for.
    private func withOutput(_ status: Int32) -> Int32 {
        guard let cause = TextOutput.standardOutput.failure else { return status }
        TextOutput.standardError.write(
            line: "\(program.root.name): what this command printed is not complete: \(cause). "
                + "What else it did is done; ask again once there is a place for its output.")
        return status == ExitStatus.done ? ExitStatus.fault : status
    }

    /// Prints what went wrong.
    ///
    /// - Returns: the exit status that means it.
    private func report(_ error: any Error) -> Int32 {
        let name = program.root.name
        guard let usage = error as? UsageError else {
            let failure = CommandFailure(error)
            TextOutput.standardError.write(line: "\(name): \(TerminalText.escape(failure.message))")
            return failure.status
        }
        let command = usage.command.isEmpty ? name : usage.command.joined(separator: " ")
        TextOutput.standardError.write(line: "\(command): \(TerminalText.escape(usage.description))")
        TextOutput.standardError.write(line: "`\(command) --help` shows what can be given.")
        return ExitStatus.usage
    }
}
