import Runs
import Synchronization
import Telemetry

final class ProgressLine: Sendable {
    let console: Console
    private let state = Mutex(RunProgress(total: 0))

    init(console: Console) { self.console = console }

    /// - Parameter note: another message, at the end.
    func show(_ counts: RunCounts, total: Int, elapsed: Duration, note: String? = nil) {
        guard total > 0 else { return console.show(progress: "Looking for RAW files …") }
        let (line, failures) = state.withLock { progress in
            progress.total = total
            progress.update(
                done: counts.completed + counts.degraded, failed: counts.failed, elapsed: elapsed)
            return (progress.line(columns: console.terminal.columns - 1), progress.failures)
        }
        console.show(progress: note.map { "\(line) · \($0)" } ?? line, alarm: failures)
    }

    func end() { console.clearProgress() }
}
