package import Arguments
internal import Glibc
internal import Telemetry

/// Runs one command: from the command line to the exit status.
package struct CommandRunner: Sendable {
    /// See `Program.SettingsOpener`.
    package typealias SettingsOpener =
        @Sendable (_ value: (_ option: String) -> [UInt8]?) throws(UsageError) -> (any SettingsSource)?

    private let program: Program
    private let settings: SettingsOpener
    private let versionText: String
    private let prepare: @Sendable (ArgumentValues) -> Void

    /// - Parameters:
    ///   - versionText: what `--version` prints.
    ///   - settings: opens the settings file of the command line; none by default.
    ///   - prepare: called before every command.
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

    /// Runs the command of the command line, and exits with its status.
    ///
    /// Not `async`: the main thread waits for signals, while the runtime's asynchronous main would leave it suspended
    /// with every signal unblocked.
    package func main() -> Never {
        StandardDescriptors.open()
        // A closed pipe (`| head`) becomes a failed write instead of the end of this process.
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

    /// A command with incomplete output has not succeeded.
    private func withOutput(_ status: Int32) -> Int32 {
        guard let cause = TextOutput.standardOutput.failure else { return status }
        TextOutput.standardError.write(
            line: "\(program.root.name): the output of this command is incomplete: \(cause). "
                + "Its work is done. Run it again once its output can be written.")
        return status == ExitStatus.done ? ExitStatus.fault : status
    }

    private func report(_ error: any Error) -> Int32 {
        let name = program.root.name
        guard let usage = error as? UsageError else {
            let failure = CommandFailure(error)
            TextOutput.standardError.write(line: "\(name): \(TerminalText.escape(failure.message))", in: .red)
            return failure.status
        }
        let command = usage.command.isEmpty ? name : usage.command.joined(separator: " ")
        TextOutput.standardError.write(line: "\(command): \(TerminalText.escape(usage.description))", in: .red)
        TextOutput.standardError.write(line: "`\(command) --help` lists the options.")
        return ExitStatus.usage
    }
}
