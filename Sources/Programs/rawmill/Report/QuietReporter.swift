import Runs
import Synchronization
import Telemetry

/// Reports only failures, a line each, and optionally the progress.
struct QuietReporter: RunReporter {
    let errors: TextOutput
    var progress: ProgressLine?
    private let said = RecentLines()

    init(errors: TextOutput, progress: ProgressLine? = nil) {
        self.errors = errors
        self.progress = progress
    }

    func planned(_ plan: RunPlan) {}
    func completed(_ job: CompletedJob) {}
    func skipped(_ file: SkippedSource) {}
    func notice(_ text: String) {}

    func tick(_ counts: RunCounts, total: Int, elapsed: Duration) {
        progress?.show(counts, total: total, elapsed: elapsed)
    }

    func ended(_ summary: RunSummary) { progress?.end() }

    func failed(_ job: FailedSource) {
        guard !job.before else { return }
        let line = "failed \(TerminalText.escape(job.source)): \(job.reason): \(TerminalText.escape(job.message))"
        // A photo in thirty looks fails thirty times.
        if said.isNew(line) { errors.write(line: line) }
    }
}

/// The recent lines, to avoid repetition.
private final class RecentLines: Sendable {
    private let lines = Mutex<[String]>([])
    private static let maxLines = 64

    func isNew(_ line: String) -> Bool {
        lines.withLock { lines in
            guard !lines.contains(line) else { return false }
            lines.append(line)
            if lines.count > Self.maxLines { lines.removeFirst() }
            return true
        }
    }
}
