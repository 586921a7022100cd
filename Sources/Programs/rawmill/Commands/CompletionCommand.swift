import Arguments
import CommandLineTool
import Telemetry

/// `rawmill completion SHELL`.
enum CompletionCommand {
    static let shell: Parameter<Shell> = .positional("SHELL", help: "The shell to write it for.")

    static let command: Command = Command(
        "completion", summary: "Prints a script with which a shell completes rawmill's commands.",
        examples: [
            .init("source <(rawmill completion bash)", "for this bash; in ~/.bashrc for every one"),
            .init("rawmill completion fish > ~/.config/fish/completions/rawmill.fish", "for every fish"),
        ],
        parameters: [shell]
    ) { values in
        TextOutput.standardOutput.write(RawmillCommands.program.completionScript(for: values[shell]))
        return ExitStatus.done
    }
}
