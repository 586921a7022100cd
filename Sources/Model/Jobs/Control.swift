/// A person's command to the coordinator, sent over the control topic.
public enum Control: Hashable, Sendable {
    /// Begin no more jobs of the batch; nil for every batch.
    case pause(BatchID?)
    /// Go on with the batch's jobs; nil for every batch.
    case resume(BatchID?)
    /// End the jobs of the batch that were not begun.
    case cancel(BatchID)
    /// Convert something.
    case submit(ConversionOrder)
    /// Give failed jobs fresh attempts.
    case retry(RetryFilter)
    /// Have the worker of this name finish what it has begun, and exit.
    case drain(worker: String)
}

/// Which failed jobs get fresh attempts: those that meet every condition given.
public struct RetryFilter: Hashable, Sendable {
    /// Only those that failed for this reason; nil for any.
    public let reason: FailureReason?
    /// Only those of this batch; nil for any.
    public let batch: BatchID?
    /// Only these; empty for all.
    public let jobs: [JobAddress]

    /// - Parameters:
    /// - reason: only jobs that failed for it; nil for any.
    /// - batch: only jobs of it; nil for any.
    /// - jobs: only these; empty for all.
    public init(reason: FailureReason? = nil, batch: BatchID? = nil, jobs: [JobAddress] = []) {
        self.reason = reason
        self.batch = batch
        self.jobs = jobs
    }
}

/// A job of the ledger, and the file it is about.
public struct JobAddress: Hashable, Sendable {
    /// The RAW.
    public let file: FileReference
    /// Its job.
    public let job: JobID

    /// - Parameters:
    /// - file: the RAW.
    /// - job: its job.
    public init(file: FileReference, job: JobID) {
        self.file = file
        self.job = job
    }
}

/// A submission: what a person wants converted, and how.
public struct ConversionOrder: Hashable, Sendable {
    /// A file or folder on shared storage.
    public struct Location: Hashable, Sendable, CustomStringConvertible {
        /// The shared-storage directory.
        public let root: RootName
        /// Nil for the root itself.
        public let path: RelativePath?

        /// - Parameters:
        /// - root: the shared-storage directory.
        /// - path: nil for the root itself.
        public init(root: RootName, path: RelativePath?) {
            self.root = root
            self.path = path
        }

        /// `root:path`, for people.
        public var description: String { path.map { "\(root):\($0)" } ?? "\(root):" }
    }

    /// Names the submission.
    public let batch: BatchID
    /// What to convert; at least one.
    public let sources: [Location]
    /// What decides the pixels. Where `hasOwnLook`, the look's version is not valid: the coordinator assigns one to each
    /// content of that name.
    public let recipe: Recipe
    /// True where the look is the user's own table.
    public let hasOwnLook: Bool
    /// Whether its jobs overtake bulk jobs.
    public let lane: Lane
    /// What becomes of the RAWs.
    public let originals: OriginalsPolicy
    /// Milliseconds since 1970.
    public let submittedMilliseconds: Int64

    /// - Parameters:
    /// - batch: names the submission.
    /// - sources: what to convert; at least one.
    /// - recipe: what decides the pixels.
    /// - hasOwnLook: true where the look is the user's own table.
    /// - lane: whether its jobs overtake bulk jobs.
    /// - originals: what becomes of the RAWs.
    /// - submittedMilliseconds: since 1970.
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
