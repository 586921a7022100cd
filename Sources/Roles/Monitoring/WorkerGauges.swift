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
    private let memory: Gauge
    private let memoryLimit: Gauge
    private let usableMemory: Gauge

    init(_ registry: MetricRegistry) {
        slots = registry.gauge("rawmill_slots", "Jobs that can be rendered at once.")
        running = registry.gauge("rawmill_jobs_in_flight", "Jobs that are rendered now.")
        waiting = registry.gauge("rawmill_jobs_waiting", "Jobs delivered to this worker that wait for a slot.")
        oldest = registry.gauge(
            "rawmill_worker_oldest_pending_seconds",
            "Age of the oldest job this worker has, since it was written to its topic; 0 without any.")
        memory = registry.gauge(
            "rawmill_render_memory_bytes", "Memory of each slot's render process.", labels: ["slot"])
        memoryLimit = registry.gauge(
            "rawmill_render_memory_limit_bytes", "A render process with more memory than this is ended.")
        usableMemory = registry.gauge(
            "rawmill_usable_memory_bytes", "Memory that the worker and its render processes may use together.")
        state = registry.gauge("rawmill_worker_state", "1 for what the worker is doing.", labels: ["state"])
    }

    func update(from snapshot: WorkerSnapshot) {
        slots.set(Double(snapshot.slots))
        running.set(Double(snapshot.running))
        waiting.set(Double(snapshot.waiting))
        let ageMilliseconds = snapshot.oldestMilliseconds.map { WallClock.elapsed(since: $0) } ?? 0
        oldest.set(Double(ageMilliseconds) / 1000)
        state.replace([([snapshot.status], 1)])
        memory.replace(snapshot.memory.residentBySlot.enumerated().map { (["\($0.offset)"], Double($0.element)) })
        memoryLimit.set(Double(snapshot.memory.limit))
        usableMemory.set(Double(snapshot.memory.usable))
    }
}
