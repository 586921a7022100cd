import Telemetry

/// Reports only what failed, a line each, and where it is wanted how far the run is.
struct QuietReporter: RunReporter {
    let errors: TextOutput
    var progress: ProgressLine?

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
        errors.write(
            line: "failed \(TerminalText.escape(job.source)): \(job.reason): \(TerminalText.escape(job.message))")
    }
}
