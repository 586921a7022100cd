internal import Clock
internal import Jobs
public import Metrics
internal import Manifests
internal import Synchronization
internal import Telemetry
public import Worker

/// A worker's metrics and readiness, from the events it tells.
public final class WorkerMonitor: Sendable {
    public let registry: MetricRegistry
    public let readiness: Readiness
    private let jobs: Counter
    private let failures: Counter
    private let jobTime: Histogram
    private let stageTime: Histogram
    private let refused: Counter
    private let hand: WorkerGauges
    private let starts = Mutex(StartTimes())

    public init(_ registry: MetricRegistry) {
        self.registry = registry
        readiness = Readiness([.warm: "the render processes are not warm yet"])
        jobs = registry.counter("rawmill_jobs_total", "Jobs by how their render ended.", labels: ["outcome"])
        for outcome in ["completed", "degraded", "failed", "retried"] { jobs.add(0, [outcome]) }
        failures = registry.counter(
            "rawmill_job_failures_total", "Failures by reason, those that were tried again included.",
            labels: ["reason"])
        jobTime = registry.histogram(
            "rawmill_job_duration_seconds", "Time from a job's start to its durable end.", bounds: HistogramBounds.work)
        stageTime = registry.histogram(
            "rawmill_stage_duration_seconds", "Time of each stage of a job, all its frames together.",
            labels: ["stage"], bounds: HistogramBounds.work)
        refused = registry.counter("rawmill_records_refused_total", "Records that were no jobs, put aside.")
        hand = WorkerGauges(registry)
    }

    /// What the worker's `observe` gets. Takes a short lock, and does not wait.
    public func take(_ event: WorkerEvent) {
        switch event {
        case .ready: readiness.met(.warm)
        case .started(let job, _, _): starts.withLock { $0.started(job.id) }
        case .ended(let manifest, let timings): ended(manifest, timings)
        case .retried(let job, let failure, _):
            finish(job.id, "retried")
            failures.add(1, [failure.reason.rawValue])
        case .refused(let failure):
            refused.add()
            failures.add(1, [failure.reason.rawValue])
        case .paused(let pause): paused(pause)
        case .resumed: readiness.met(.working)
        }
    }

    /// What is only known when asked.
    public func refresh(_ snapshot: WorkerSnapshot) { hand.show(snapshot) }

    private func ended(_ manifest: Manifest, _ timings: [StageTiming]) {
        switch manifest.outcome {
        case .completed(let renditions):
            finish(manifest.job, renditions.contains { $0.degraded != nil } ? "degraded" : "completed")
        case .failed(let failure):
            finish(manifest.job, "failed")
            failures.add(1, [failure.reason.rawValue])
        }
        for timing in timings { stageTime.observe(Double(timing.microseconds) / 1e6, [timing.stage]) }
    }

    private func finish(_ job: JobID, _ outcome: String) {
        jobs.add(1, [outcome])
        if let time = starts.withLock({ $0.ended(job) }) { jobTime.observe(time.seconds) }
    }

    private func paused(_ pause: WorkerPause) {
        switch pause {
        // A worker that was asked to wait does what it should.
        case .requested: readiness.met(.working)
        case .failures(let count, let last):
            readiness.lacks(.working, "paused after \(count) failures in a row, the last: \(last.message)")
        case .storage(let failure): readiness.lacks(.working, failure.message)
        }
    }
}

/// When jobs were started, of those whose end has not been told. A job that was given up without a word leaves its
/// start behind: only so many are kept.
struct StartTimes {
    private var watches: [JobID: Stopwatch] = [:]
    private var order: [JobID] = []
    private static let most = 1024

    mutating func started(_ job: JobID) {
        if watches.updateValue(Stopwatch(), forKey: job) == nil { order.append(job) }
        while order.count > Self.most { watches[order.removeFirst()] = nil }
    }

    mutating func ended(_ job: JobID) -> Duration? {
        guard let watch = watches.removeValue(forKey: job) else { return nil }
        if let index = order.firstIndex(of: job) { order.remove(at: index) }
        return watch.elapsed
    }
}
