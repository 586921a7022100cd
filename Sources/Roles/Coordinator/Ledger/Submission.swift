public import Jobs

/// The common properties of all jobs of one request and recipe.
public struct Submission: Hashable, Sendable {
    /// The batch of its jobs.
    public let batch: BatchID
    /// How to convert.
    public let recipe: Recipe
    /// The priority of its jobs.
    public let lane: Lane
    /// What to do with the RAWs.
    public let originals: OriginalsPolicy
    /// Whether the photos are not shown until a user chooses them; see `Job.isHeld`.
    public let isHeld: Bool
    /// The W3C trace context for every job's record.
    public let traceparent: String?
    /// Milliseconds since 1970.
    public let submittedMilliseconds: Int64

    /// Creates a submission, by default of a new bulk batch.
    public init(
        batch: BatchID = .random(), recipe: Recipe, lane: Lane = .bulk, originals: OriginalsPolicy = .reference,
        isHeld: Bool = false, traceparent: String? = nil, submittedMilliseconds: Int64
    ) {
        self.batch = batch
        self.recipe = recipe
        self.lane = lane
        self.originals = originals
        self.isHeld = isHeld
        self.traceparent = traceparent
        self.submittedMilliseconds = submittedMilliseconds
    }
}

/// Whether a batch's jobs are sent to the workers. The database stores the raw value.
public enum BatchState: Int, Hashable, Sendable, CaseIterable {
    case running = 0
    case paused = 1
    /// Its open jobs are being cancelled.
    case cancelling = 2
    case cancelled = 3
}

extension Lane {
    var number: Int { self == .interactive ? 0 : 1 }

    init(number: Int64) { self = number == 0 ? .interactive : .bulk }
}
