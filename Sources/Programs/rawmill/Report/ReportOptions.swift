import Arguments
import Coordinator
import Runs
import Telemetry

enum ReportOptions {
    static let json: Parameter<Bool> = .flag("json", group: "Output", help: "Write one JSON object per line.")
    static let noProgress: Parameter<Bool> = .flag("no-progress", group: "Output", help: "Show no progress line.")

    static let failOnOld: Parameter<Bool> = .flag(
        "fail-on-old", group: "Output",
        help: "Exit with status 3 also for files that failed in earlier runs and were not retried.")

    static let quiet: Parameter<Bool> = .flag(
        "quiet", short: "q", group: "Output", help: "Print only failures, on standard error.")

    static let all: [any AnyParameter] = [json, noProgress, quiet, failOnOld]

    /// The reporter of a run: JSON for programs; for users a progress line if standard error is a terminal, and a line
    /// for each file if standard output is not.
    static func reporter(_ values: ArgumentValues, console: Console, roots: RootMap) -> any RunReporter {
        if values[quiet], !values[json] { return QuietReporter(errors: .standardError, roots: roots) }
        let output = Terminal(descriptor: 1)
        let showsProgress = console.terminal.isTerminal && !(values[json] && output.isTerminal)
        let progress = showsProgress && !values[noProgress] ? ProgressLine(console: console) : nil
        if values[json] { return JSONReporter(output: .standardOutput, progress: progress) }
        return TextReporter(
            output: .standardOutput, roots: roots, progress: progress, namesEachFile: !output.isTerminal)
    }
}
