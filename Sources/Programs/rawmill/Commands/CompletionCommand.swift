import Arguments
import CommandLineTool
import Telemetry

/// `rawmill completion SHELL`.
enum CompletionCommand {
    static let shell: Parameter<Shell> = .positional("SHELL", help: "Shell to write the script for.")

    static let command: Command = Command(
        "completion", summary: "Print a shell completion script.",
        examples: [
            .init("source <(rawmill completion bash)", "for this bash; in ~/.bashrc for every one"),
            .init("rawmill completion fish > ~/.config/fish/completions/rawmill.fish", "for every fish"),
        ],
        parameters: [shell], isHidden: true
    ) { values in
        TextOutput.standardOutput.write(RawmillCommands.program.completionScript(for: values[shell]))
        return ExitStatus.done
    }
}
