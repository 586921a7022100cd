internal import Clock
internal import Metrics
internal import Telemetry
internal import Worker

/// The jobs that a worker has, and its state, as metrics.
struct WorkerGauges: Sendable {
    private let slots: Gauge
    private let running: Gauge
    private let waiting: Gauge
    private let oldest: Gauge
    private let state: Gauge

    init(_ registry: MetricRegistry) {
        slots = registry.gauge("rawmill_slots", "Jobs that can be rendered at once.")
        running = registry.gauge("rawmill_jobs_in_flight", "Jobs that are rendered now.")
        waiting = registry.gauge("rawmill_jobs_waiting", "Jobs delivered to this worker that wait for a slot.")
        oldest = registry.gauge(
            "rawmill_worker_oldest_pending_seconds",
            "Age of the oldest job this worker has, since it was written to its topic; 0 without any.")
        state = registry.gauge("rawmill_worker_state", "1 for what the worker is doing.", labels: ["state"])
    }

    func update(from snapshot: WorkerSnapshot) {
        slots.set(Double(snapshot.slots))
        running.set(Double(snapshot.running))
        waiting.set(Double(snapshot.waiting))
        let ageMilliseconds = snapshot.oldestMilliseconds.map { WallClock.elapsed(since: $0) } ?? 0
        oldest.set(Double(ageMilliseconds) / 1000)
        state.replace([([snapshot.status], 1)])
    }
}
