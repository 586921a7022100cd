public import Jobs
public import Manifests

/// What a worker did, for logs, metrics and traces.
public enum WorkerEvent: Hashable, Sendable {
    /// The render processes are warm and the groups were joined.
    case ready(slots: Int)
    /// A render starts. The trace context is the one that the job's record came with.
    case started(Job, slot: Int, traceparent: String?)
    /// The job's manifest is durable. The timings are those of all its frames.
    case ended(Manifest, timings: [StageTiming])
    /// The job failed and will be tried again.
    case retried(Job, Failure, after: Duration)
    /// A record that is no job was parked as a dead letter.
    case refused(Failure)
    case paused(WorkerPause)
    case resumed
}

/// Why a worker starts no jobs.
public enum WorkerPause: Hashable, Sendable {
    /// An operator, or the coordinator, requested it.
    case requested
    /// That many jobs failed in a row.
    case failures(Int, last: Failure)
    case storage(Failure)
}
