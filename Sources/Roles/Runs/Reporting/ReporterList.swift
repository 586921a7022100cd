package struct ReporterList: RunReporter {
    private let all: [any RunReporter]

    package init(_ all: [any RunReporter]) { self.all = all }

    package func planned(_ plan: RunPlan) { for reporter in all { reporter.planned(plan) } }
    package func completed(_ job: CompletedJob) { for reporter in all { reporter.completed(job) } }
    package func failed(_ job: FailedSource) { for reporter in all { reporter.failed(job) } }
    package func skipped(_ file: SkippedSource) { for reporter in all { reporter.skipped(file) } }
    package func tick(_ counts: RunCounts, total: Int, elapsed: Duration) {
        for reporter in all { reporter.tick(counts, total: total, elapsed: elapsed) }
    }
    package func notice(_ text: String) { for reporter in all { reporter.notice(text) } }
    package func ended(_ summary: RunSummary) { for reporter in all { reporter.ended(summary) } }
}
