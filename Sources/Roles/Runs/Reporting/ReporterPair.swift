/// Two reporters of one run.
package struct ReporterPair: RunReporter {
    package let first: any RunReporter
    package let second: any RunReporter

    package init(first: any RunReporter, second: any RunReporter) {
        self.first = first
        self.second = second
    }

    private func each(_ body: (any RunReporter) -> Void) {
        body(first)
        body(second)
    }

    package func planned(_ plan: RunPlan) { each { $0.planned(plan) } }
    package func completed(_ job: CompletedJob) { each { $0.completed(job) } }
    package func failed(_ job: FailedSource) { each { $0.failed(job) } }
    package func skipped(_ file: SkippedSource) { each { $0.skipped(file) } }
    package func tick(_ counts: RunCounts, total: Int, elapsed: Duration) {
        each { $0.tick(counts, total: total, elapsed: elapsed) }
    }
    package func notice(_ text: String) { each { $0.notice(text) } }
    package func ended(_ summary: RunSummary) { each { $0.ended(summary) } }
}
