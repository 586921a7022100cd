/// What a person tells the coordinator, over the control topic.
public enum Control: Hashable, Sendable {
    /// No more jobs of the batch are begun, or of any.
    case pause(BatchID?)
    /// The batch's jobs go on, or all.
    case resume(BatchID?)
    /// Jobs of the batch that were not begun end here.
    case cancel(BatchID)
    case submit(ConversionOrder)
    /// Failed jobs get fresh attempts.
    case retry(RetryFilter)
    /// The worker of this name finishes what it has begun, and ends.
    case drain(worker: String)
}

/// Which failed jobs get fresh attempts: those for which all holds that is said.
public struct RetryFilter: Hashable, Sendable {
    /// Only those that failed so; nil for any reason.
    public let reason: FailureReason?
    /// Only those of this batch; nil for any.
    public let batch: BatchID?
    /// Only these; empty for all.
    public let jobs: [JobAddress]

    public init(reason: FailureReason? = nil, batch: BatchID? = nil, jobs: [JobAddress] = []) {
        self.reason = reason
        self.batch = batch
        self.jobs = jobs
    }
}

/// A job of the ledger, and the file it is about.
public struct JobAddress: Hashable, Sendable {
    public let file: FileReference
    public let job: JobID

    public init(file: FileReference, job: JobID) {
        self.file = file
        self.job = job
    }
}

/// What a person asks to be converted.
public struct ConversionOrder: Hashable, Sendable {
    /// A file or folder on shared storage.
    public struct Location: Hashable, Sendable, CustomStringConvertible {
        public let root: RootName
        /// Nil for the root itself.
        public let path: RelativePath?

        public init(root: RootName, path: RelativePath?) {
            self.root = root
            self.path = path
        }

        public var description: String { path.map { "\(root):\($0)" } ?? "\(root):" }
    }

    public let batch: BatchID
    public let sources: [Location]
    /// Its look's version is not valid where the look is the user's own: the coordinator knows which version of that
    /// name stands for its content.
    public let recipe: Recipe
    public let hasOwnLook: Bool
    public let lane: Lane
    public let originals: OriginalsPolicy
    /// Milliseconds since 1970.
    public let submittedMilliseconds: Int64

    public init(
        batch: BatchID = .random(), sources: [Location], recipe: Recipe, hasOwnLook: Bool = false, lane: Lane = .bulk,
        originals: OriginalsPolicy = .reference, submittedMilliseconds: Int64
    ) {
        self.batch = batch
        self.sources = sources
        self.recipe = recipe
        self.hasOwnLook = hasOwnLook
        self.lane = lane
        self.originals = originals
        self.submittedMilliseconds = submittedMilliseconds
    }
}
