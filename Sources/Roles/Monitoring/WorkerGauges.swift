internal import Clock
internal import Metrics
internal import Telemetry
internal import Worker

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
        slots = registry.gauge("rawmill_slots", "Jobs that can be rendered at the same time.")
        running = registry.gauge("rawmill_jobs_in_flight", "Jobs being rendered.")
        waiting = registry.gauge("rawmill_jobs_waiting", "Jobs delivered to this worker and waiting for a slot.")
        oldest = registry.gauge(
            "rawmill_worker_oldest_pending_seconds",
            "Age of this worker's oldest job since it was written to its topic; 0 if there is none.")
        memory = registry.gauge(
            "rawmill_render_memory_bytes", "Memory of each slot's render process.", labels: ["slot"])
        memoryLimit = registry.gauge(
            "rawmill_render_memory_limit_bytes", "Memory above which a render process is killed.")
        usableMemory = registry.gauge(
            "rawmill_usable_memory_bytes", "Memory available to the worker and its render processes together.")
        state = registry.gauge("rawmill_worker_state", "1 for the worker's current state.", labels: ["state"])
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
