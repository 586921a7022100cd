import Telemetry

/// Reports only what failed, a line each.
struct QuietReporter: RunReporter {
    let errors: TextOutput

    func planned(_ plan: RunPlan) {}
    func completed(_ job: CompletedJob) {}
    func skipped(_ file: SkippedSource) {}
    func tick(_ counts: RunCounts, total: Int, elapsed: Duration) {}
    func notice(_ text: String) {}
    func ended(_ summary: RunSummary) {}

    func failed(_ job: FailedSource) {
        guard !job.before else { return }
        errors.write(
            line: "failed \(TerminalText.escape(job.source)): \(job.reason): \(TerminalText.escape(job.message))")
    }
}
