/// Two reporters of one run.
struct TwoReporters: RunReporter {
    let first: any RunReporter
    let second: any RunReporter

    private func each(_ body: (any RunReporter) -> Void) {
        body(first)
        body(second)
    }

    func planned(_ plan: RunPlan) { each { $0.planned(plan) } }
    func completed(_ job: CompletedJob) { each { $0.completed(job) } }
    func failed(_ job: FailedSource) { each { $0.failed(job) } }
    func skipped(_ file: SkippedSource) { each { $0.skipped(file) } }
    func tick(_ counts: RunCounts, total: Int, elapsed: Duration) {
        each { $0.tick(counts, total: total, elapsed: elapsed) }
    }
    func notice(_ text: String) { each { $0.notice(text) } }
    func ended(_ summary: RunSummary) { each { $0.ended(summary) } }
}
