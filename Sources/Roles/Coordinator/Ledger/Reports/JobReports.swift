public import Jobs
public import Manifests

/// A failed job in a report.
public struct FailedJob: Hashable, Sendable {
    /// The RAW.
    public let file: FileReference
    /// The job's id.
    public let job: JobID
    /// Its batch.
    public let batch: BatchID
    /// Why it failed.
    public let failure: Failure
    /// How often it was retried.
    public let round: UInt32
    /// Renders started for it in its last round.
    public let attempts: UInt32
    /// Whether the file has been accepted in a newer state: a retry skips this job.
    public let isSuperseded: Bool
}

/// An open job that was refused: the library refused its photo, or a worker does not see its RAW.
public struct RefusedJob: Hashable, Sendable {
    /// The RAW.
    public let file: FileReference
    /// The job's id.
    public let job: JobID
    /// Its batch.
    public let batch: BatchID
    /// The last refusal.
    public let refusal: Refusal
    /// Number of refusals since the last fresh start.
    public let count: Int
}

/// A job whose photos are in the library with flaws: unreliable colours, or frames without a photo.
public struct DegradedJob: Hashable, Sendable {
    /// The RAW.
    public let file: FileReference
    /// The job's id.
    public let job: JobID
    /// Its batch.
    public let batch: BatchID
    /// The flaw.
    public let cause: String
    /// Whether a retry renders the frames without a photo.
    public let isRetryable: Bool
}

/// The jobs that a retry opens, for one reason of failure.
public struct RetryableJobs: Hashable, Sendable {
    /// Nil if an earlier version did not store why a frame failed.
    public let reason: FailureReason?
    /// Files that failed, in one look or in many.
    public let failed: Int
    /// Files with failed frames. The photos of their other frames are kept.
    public let lackingFrames: Int
}

/// A source or file that a plan left out or could not read, and that is not a job.
public struct PlanProblem: Hashable, Sendable {
    /// The batch of the plan.
    public let batch: BatchID
    /// Why it was left out.
    public let kind: FileGroup.Kind
    /// Absolute, on the coordinator's machine.
    public let path: [UInt8]
    /// The problem with its remedy.
    public let message: String
}
