public import Jobs
public import Manifests

/// A batch in a report.
public struct BatchReport: Hashable, Sendable {
    /// The batch's id.
    public let batch: BatchID
    /// Milliseconds since 1970.
    public let submittedMilliseconds: Int64
    /// Whether its jobs are sent.
    public let state: BatchState
    /// The priority of its jobs.
    public let lane: Lane
    /// What happens to its RAWs.
    public let originals: OriginalsPolicy
    /// How its RAWs are converted.
    public let recipe: Recipe
    /// Its jobs by state.
    public let counts: JobCounts
    /// Photos already in the library, of RAWs at another path.
    public let reused: Int64
}
