public import Jobs

/// One request to convert: what all its jobs have in common.
public struct Submission: Hashable, Sendable {
    /// The batch that its jobs belong to.
    public let batch: BatchID
    /// How to convert.
    public let recipe: Recipe
    /// Whether its jobs overtake others.
    public let lane: Lane
    /// What to do with the RAWs.
    public let originals: OriginalsPolicy
    /// True if `photos/` is not to show the photos until a person chooses them, see `Job.isHeld`.
    public let isHeld: Bool
    /// The W3C trace context that every job's record carries.
    public let traceparent: String?
    /// Milliseconds since 1970.
    public let submittedMilliseconds: Int64

    /// - Parameters:
    ///   - batch: the batch that its jobs belong to.
    ///   - recipe: how to convert.
    ///   - lane: whether its jobs overtake others.
    ///   - originals: what to do with the RAWs.
    ///   - isHeld: whether the photos wait to be chosen.
    ///   - traceparent: the W3C trace context that every job's record carries.
    ///   - submittedMilliseconds: milliseconds since 1970.
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

/// Whether a batch's jobs are sent to the workers. The raw value is stored in the database.
public enum BatchState: Int, Hashable, Sendable, CaseIterable {
    case running = 0
    case paused = 1
    /// Its open jobs are being cancelled.
    case cancelling = 2
    case cancelled = 3
}

extension Lane {
    /// The number that the database stores and sorts by.
    var number: Int { self == .interactive ? 0 : 1 }

    init(number: Int64) { self = number == 0 ? .interactive : .bulk }
}
