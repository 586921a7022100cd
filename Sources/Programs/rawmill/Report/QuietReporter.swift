import Coordinator
import Runs
import Synchronization
import Telemetry

/// Reports only failures, a line each, and optionally the progress.
struct QuietReporter: RunReporter {
    let errors: TextOutput
    let roots: RootMap
    var progress: ProgressLine?
    private let named = NamedFailures()

    init(errors: TextOutput, roots: RootMap, progress: ProgressLine? = nil) {
        self.errors = errors
        self.roots = roots
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
        guard !job.before, named.isNew(job) else { return }
        errors.write(line: FailureText.line(job, roots), in: .red)
    }
}
