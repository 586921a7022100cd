public import Jobs
public import Manifests

/// An event of a worker, for logs, metrics and traces.
public enum WorkerEvent: Hashable, Sendable {
    /// The render processes are warm and the worker has joined its groups.
    case ready(slots: Int)
    /// A render starts. The trace context is that of the job's record.
    case started(Job, slot: Int, traceparent: String?)
    /// The job's manifest is durable. The timings cover all its frames.
    case ended(Manifest, timings: [StageTiming])
    case retried(Job, Failure, after: Duration)
    case refused(Failure)
    case paused(WorkerPause)
    case resumed
}

/// Why a worker does not start jobs.
public enum WorkerPause: Hashable, Sendable {
    /// An operator or the coordinator requested it.
    case requested
    case failures(Int, last: Failure)
    case storage(Failure)
}
