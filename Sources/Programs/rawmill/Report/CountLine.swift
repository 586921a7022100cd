import Arguments
import Telemetry

/// A line that counts up on a terminal, and is not there elsewhere.
struct CountLine: Sendable {
    private let console: Console?

    /// For a command with `--no-progress`.
    init(_ values: Values) {
        console = values[ReportOptions.noProgress] ? nil : Console(terminal: Terminal(descriptor: 2))
    }

    func show(_ text: String) { console?.show(progress: text) }

    /// Before anything else is written.
    func clear() { console?.clearProgress() }
}
