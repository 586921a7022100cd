internal import Clock
internal import Jobs
public import Metrics
internal import Manifests
internal import Synchronization
internal import Telemetry
public import Worker

/// A worker's metrics and readiness, from its events.
public final class WorkerMonitor: Sendable {
    /// The registry that holds the metrics.
    public let registry: MetricRegistry
    /// Ready when the render processes are warm and nothing blocks the worker.
    public let readiness: Readiness
    private let jobs: Counter
    private let failures: Counter
    private let jobTime: Histogram
    private let stageTime: Histogram
    private let refused: Counter
    private let reused: Counter
    private let gauges: WorkerGauges
    private let starts = Mutex(JobStartTimes())

    /// Registers the metrics.
    public init(_ registry: MetricRegistry) {
        self.registry = registry
        readiness = Readiness([.warm: "the render processes are not warm yet"])
        jobs = registry.counter("rawmill_jobs_total", "Rendered jobs, by outcome.", labels: ["outcome"])
        for outcome in ["completed", "degraded", "failed", "retried"] { jobs.add(0, [outcome]) }
        failures = registry.counter(
            "rawmill_job_failures_total", "Failures by reason, including retried ones.",
            labels: ["reason"])
        jobTime = registry.histogram(
            "rawmill_job_duration_seconds", "Time from a job's start to its durable end.", bounds: HistogramBounds.work)
        stageTime = registry.histogram(
            "rawmill_stage_duration_seconds", "Time of each stage of a job, over all its frames.",
            labels: ["stage"], bounds: HistogramBounds.work)
        refused = registry.counter("rawmill_records_refused_total", "Invalid job records, set aside.")
        reused = registry.counter(
            "rawmill_photos_reused_total", "Photos already in the library, of RAWs at another path.")
        gauges = WorkerGauges(registry)
    }

    /// Counts an event of the worker. Takes a short lock and does not wait.
    public func record(_ event: WorkerEvent) {
        switch event {
        case .ready: readiness.setMet(.warm)
        case .started(let job, _, _): starts.withLock { $0.start(job.id) }
        case .ended(let manifest, let timings): ended(manifest, timings)
        case .retried(let job, let failure, _):
            finish(job.id, "retried")
            failures.add(1, [failure.reason.rawValue])
        case .refused(let failure):
            refused.add()
            failures.add(1, [failure.reason.rawValue])
        case .paused(let pause): paused(pause)
        case .resumed: readiness.setMet(.working)
        }
    }

    /// Updates the metrics that are only read on request.
    public func refresh(_ snapshot: WorkerSnapshot) { gauges.update(from: snapshot) }

    private func ended(_ manifest: Manifest, _ timings: [StageTiming]) {
        switch manifest.outcome {
        case .completed(let frames):
            finish(manifest.job, frames.degradation != nil ? "degraded" : "completed")
            if frames.reusedCount > 0 { reused.add(Double(frames.reusedCount)) }
        case .failed(let failure):
            finish(manifest.job, "failed")
            failures.add(1, [failure.reason.rawValue])
        }
        for timing in timings { stageTime.observe(Double(timing.microseconds) / 1e6, [timing.stage]) }
    }

    private func finish(_ job: JobID, _ outcome: String) {
        jobs.add(1, [outcome])
        if let time = starts.withLock({ $0.end(job) }) { jobTime.observe(time.seconds) }
    }

    private func paused(_ pause: WorkerPause) {
        switch pause {
        // A requested pause is not a fault.
        case .requested: readiness.setMet(.working)
        case .failures(let count, let last):
            readiness.setUnmet(.working, "paused after \(count) failures in a row, the last: \(last.message)")
        case .storage(let failure): readiness.setUnmet(.working, failure.message)
        }
    }
}
