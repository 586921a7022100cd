import Arguments
import CommandLineTool
import Telemetry

enum CompletionCommand {
    static let shell: Parameter<Shell> = .positional("SHELL", help: "Shell to write the script for.")

    static let command: Command = Command(
        "completion", summary: "Print a shell completion script.",
        examples: [
            .init("source <(rawmill completion bash)", "in this shell; add it to ~/.bashrc for all"),
            .init("rawmill completion fish > ~/.config/fish/completions/rawmill.fish", "in every fish"),
        ],
        parameters: [shell], isHidden: true
    ) { values in
        TextOutput.standardOutput.write(RawmillCommands.program.completionScript(for: values[shell]))
        return ExitStatus.done
    }
}
