import Arguments
import Telemetry

/// A line with a running count, on terminals only.
struct CountLine: Sendable {
    private let console: Console?

    init(_ values: ArgumentValues) {
        console = values[ReportOptions.noProgress] ? nil : Console(terminal: Terminal(descriptor: 2))
    }

    func show(_ text: String) { console?.show(progress: text) }

    /// Removes the line. Call it before any other output.
    func clear() { console?.clearProgress() }
}
