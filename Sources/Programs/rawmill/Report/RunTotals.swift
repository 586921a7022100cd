import Runs
import Synchronization

/// The sums of several runs.
final class RunTotals: RunReporter {
    private let state = Mutex((photos: 0, failed: 0))

    /// Photos that were converted, and files or photos that failed.
    var counts: (photos: Int, failed: Int) { state.withLock { $0 } }

    func ended(_ summary: RunSummary) {
        state.withLock { state in
            state.photos += summary.completed + summary.degraded
            state.failed += summary.failed + summary.unreadable + summary.unplaced
        }
    }

    func planned(_ plan: RunPlan) {}
    func completed(_ job: CompletedJob) {}
    func failed(_ job: FailedSource) {}
    func skipped(_ file: SkippedSource) {}
    func tick(_ counts: RunCounts, total: Int, elapsed: Duration) {}
    func notice(_ text: String) {}
}
