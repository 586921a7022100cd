import Arguments
import CommandLineTool
import Telemetry

enum ManualCommand {
    static let pages: Parameter<[String]> = .positionals(
        "PAGE", atLeastOne: false, help: "Pages to print. Without PAGE, list their names.")

    static let command: Command = Command(
        "manual", summary: "Print manual pages in man's format.",
        examples: [.init("rawmill manual rawmill-convert | man -l -", "read a page that is not installed")],
        parameters: [pages], isHidden: true
    ) { values in
        let manual = RawmillCommands.program.manual
        guard !values[pages].isEmpty else {
            for page in manual { TextOutput.standardOutput.write(line: page.name) }
            return ExitStatus.done
        }
        for name in values[pages] {
            guard let page = manual.first(where: { $0.name == name }) else {
                throw UsageError(
                    "There is no page \"\(TerminalText.escape(name))\": `rawmill manual` lists them.",
                    command: values.command)
            }
            TextOutput.standardOutput.write(page.text)
        }
        return ExitStatus.done
    }
}
