internal import Clock
internal import Coordinator
internal import Manifests
internal import Metrics
internal import Telemetry

/// The states of a ledger's jobs, and its open batches, as metrics.
struct LedgerGauges: Sendable {
    private let jobs: Gauge
    private let oldest: Gauge
    private let batches: Gauge

    init(_ registry: MetricRegistry) {
        jobs = registry.gauge(
            "rawmill_ledger_jobs", "Jobs ever accepted, and where each stands.", labels: ["state"])
        batches = registry.gauge("rawmill_ledger_open_batches", "Batches with open jobs.")
        oldest = registry.gauge(
            "rawmill_oldest_pending_seconds",
            "Time since the oldest batch that still has open jobs was submitted; 0 without any.")
    }

    func update(from ledger: Ledger) async throws {
        let (totals, pending) = try await ledger.perform { store in
            var oldest: Int64?
            var count = 0
            try store.reports.eachBatch { batch in
                guard batch.counts.open > 0 else { return }
                count += 1
                oldest = min(oldest ?? .max, batch.submittedMilliseconds)
            }
            return (try store.reports.totals(), (oldest: oldest, count: count))
        }
        set(totals)
        batches.set(Double(pending.count))
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
