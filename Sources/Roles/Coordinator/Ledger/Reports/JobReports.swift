public import Jobs
public import Manifests

/// A failed job for a report.
public struct FailedJob: Hashable, Sendable {
    /// The RAW.
    public let file: FileReference
    /// The job's id.
    public let job: JobID
    /// The batch that it belongs to.
    public let batch: BatchID
    /// Why it failed.
    public let failure: Failure
    /// How often it was retried.
    public let round: UInt32
    /// Renders started for it in its last round.
    public let attempts: UInt32
    /// True if the file was accepted in a newer state since: a retry skips this job.
    public let isSuperseded: Bool
}

/// A job that was refused, and is open again: the library refused its photo, or a worker does not see its RAW.
public struct RefusedJob: Hashable, Sendable {
    /// The RAW.
    public let file: FileReference
    /// The job's id.
    public let job: JobID
    /// The batch that it belongs to.
    public let batch: BatchID
    /// Why it was refused the last time.
    public let refusal: Refusal
    /// How often it was since the last fresh start.
    public let count: Int
}

/// A job whose photos are in the library, and not as they should be: colours cannot be trusted, or frames have no photo.
public struct DegradedJob: Hashable, Sendable {
    /// The RAW.
    public let file: FileReference
    /// The job's id.
    public let job: JobID
    /// The batch that it belongs to.
    public let batch: BatchID
    /// What is wrong with them.
    public let cause: String
    /// A retry renders the frames that have no photo.
    public let isRetryable: Bool
}

/// What a retry takes up that failed for one reason.
public struct RetryableJobs: Hashable, Sendable {
    /// Nil where an earlier version did not note why a frame failed.
    public let reason: FailureReason?
    /// Failed jobs.
    public let failed: Int
    /// Jobs some of whose frames failed. Their other frames have photos, which stay as they are.
    public let lackingFrames: Int
}

/// A source or a file that a plan left out, or could not read: it is no job.
public struct PlanProblem: Hashable, Sendable {
    /// The batch of the plan.
    public let batch: BatchID
    /// Why it was left out.
    public let kind: FileGroup.Kind
    /// Absolute, on the coordinator's machine.
    public let path: [UInt8]
    /// What is wrong, and what to do.
    public let message: String
}
