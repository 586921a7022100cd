public import Jobs
public import Manifests

/// What a worker did, for whoever shows it.
public enum WorkerEvent: Hashable, Sendable {
    /// Render processes are warm, the group was joined.
    case ready(slots: Int)
    /// With the trace context its record came with, for whoever records traces.
    case started(Job, slot: Int, traceparent: String?)
    /// The job's manifest is durable. Stages of all its frames.
    case ended(Manifest, timings: [StageTiming])
    /// It failed and is tried again.
    case retried(Job, Failure, after: Duration)
    /// A record that is no job was put aside.
    case refused(Failure)
    case paused(WorkerPause)
    case resumed
}

/// Why a worker takes no jobs.
public enum WorkerPause: Hashable, Sendable {
    /// Somebody asked for it.
    case asked
    /// As many failures one after another.
    case failures(Int, last: Failure)
    case storage(Failure)
}
