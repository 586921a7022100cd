internal import Clock
internal import Coordinator
internal import Manifests
internal import Metrics
internal import Telemetry

struct LedgerGauges: Sendable {
    private let jobs: Gauge
    private let oldest: Gauge
    private let batches: Gauge
    private let paused: Gauge
    private let pausedJobs: Gauge
    private let refused: Gauge

    init(_ registry: MetricRegistry) {
        jobs = registry.gauge(
            "rawmill_ledger_jobs", "Jobs ever accepted, and by state.", labels: ["state"])
        batches = registry.gauge("rawmill_ledger_open_batches", "Batches with open jobs.")
        refused = registry.gauge(
            "rawmill_ledger_refused_jobs",
            "Open jobs whose photo the library refused or whose RAW a worker cannot see.")
        oldest = registry.gauge(
            "rawmill_oldest_pending_seconds",
            "Time since the submission of the oldest unpaused batch with open jobs; 0 if there is none.")
        paused = registry.gauge("rawmill_paused", "1 while operators have paused all work.")
        pausedJobs = registry.gauge(
            "rawmill_ledger_paused_jobs", "Open jobs that cannot start because all work or their batch is paused.")
    }

    func update(from ledger: Ledger) async throws {
        let (totals, pending, isPaused, refusedCount) = try await ledger.perform { store in
            var oldest: Int64?
            var (count, pausedJobs) = (0, 0)
            let isPaused = try store.reports.isPaused()
            try store.reports.eachBatch { batch in
                guard batch.counts.open > 0 else { return }
                count += 1
                if isPaused || batch.state == .paused {
                    pausedJobs += batch.counts.open
                } else {
                    oldest = min(oldest ?? .max, batch.submittedMilliseconds)
                }
            }
            return (
                try store.reports.totals(), (oldest: oldest, count: count, pausedJobs: pausedJobs), isPaused,
                try store.reports.refusedCount()
            )
        }
        set(totals)
        paused.set(isPaused ? 1 : 0)
        pausedJobs.set(Double(pending.pausedJobs))
        batches.set(Double(pending.count))
        refused.set(Double(refusedCount))
        oldest.set(Double(pending.oldest.map { WallClock.elapsed(since: $0) } ?? 0) / 1000)
    }

    private func set(_ counts: JobCounts) {
        jobs.set(Double(counts.accepted), ["accepted"])
        jobs.set(Double(counts.open), ["open"])
        jobs.set(Double(counts.catalogued), ["catalogued"])
        jobs.set(Double(counts.degraded), ["degraded"])
        jobs.set(Double(counts.failed), ["failed"])
        jobs.set(Double(counts.cancelled), ["cancelled"])
    }
}
