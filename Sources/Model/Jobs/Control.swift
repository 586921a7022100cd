/// A user's command to the coordinator, sent over the control topic.
public enum Control: Hashable, Sendable {
    /// Start no more jobs of the batch; nil for every batch.
    case pause(BatchID?)
    /// Continue the batch's jobs; nil for every batch.
    case resume(BatchID?)
    /// End the jobs of the batch that were not started.
    case cancel(BatchID)
    /// Keep some of the sources of an order that follows.
    case sources(SourcePart)
    case submit(ConversionOrder)
    /// Give failed jobs fresh attempts.
    case retry(RetryFilter)
    /// Make the worker of this name finish its jobs and exit.
    case drain(worker: String)
}

/// Selects failed jobs to retry: those that meet every given condition.
public struct RetryFilter: Hashable, Sendable {
    /// Only jobs that failed for this reason; nil for any.
    public let reason: FailureReason?
    /// Only jobs of this batch; nil for any.
    public let batch: BatchID?
    /// Only these jobs; empty for all.
    public let jobs: [JobAddress]

    /// Memberwise initializer.
    public init(reason: FailureReason? = nil, batch: BatchID? = nil, jobs: [JobAddress] = []) {
        self.reason = reason
        self.batch = batch
        self.jobs = jobs
    }
}

/// A job of the ledger and its file.
public struct JobAddress: Hashable, Sendable {
    /// The RAW.
    public let file: FileReference
    /// The job's id.
    public let job: JobID

    /// Memberwise initializer.
    public init(file: FileReference, job: JobID) {
        self.file = file
        self.job = job
    }
}

/// A submission: what a user wants to convert, and how.
public struct ConversionOrder: Hashable, Sendable {
    /// A file or folder on shared storage.
    public struct Location: Hashable, Sendable, CustomStringConvertible {
        /// The root.
        public let root: RootName
        /// Nil for the root itself.
        public let path: RelativePath?

        /// Memberwise initializer.
        public init(root: RootName, path: RelativePath?) {
            self.root = root
            self.path = path
        }

        /// `root/path`, or the root's name.
        public var description: String { path.map { "\(root)/\($0)" } ?? root.text }
    }

    /// A further recipe for the same sources, with its own batch.
    public struct Edition: Hashable, Sendable {
        /// The batch.
        public let batch: BatchID
        /// What decides the pixels.
        public let recipe: Recipe
        /// Whether the look is the user's own table.
        public let hasOwnLook: Bool

        /// Memberwise initializer.
        public init(batch: BatchID = .random(), recipe: Recipe, hasOwnLook: Bool = false) {
            self.batch = batch
            self.recipe = recipe
            self.hasOwnLook = hasOwnLook
        }
    }

    /// The batch that the submission creates.
    public let batch: BatchID
    /// Files and folders to convert; at least one, unless further parts follow.
    public let sources: [Location]
    /// The number of records with further sources, sent before the order.
    public let sourceParts: UInt32
    /// Patterns of files and folders to leave out.
    public let excluded: [[UInt8]]
    /// The minimum rating, −1 to 5 stars; nil takes every file.
    public let minRating: Int?
    /// What decides the pixels. If `hasOwnLook`, the look's version is not valid: the coordinator assigns one to each
    /// content of that name.
    public let recipe: Recipe
    /// Whether the look is the user's own table.
    public let hasOwnLook: Bool
    /// Whether its jobs overtake bulk jobs.
    public let lane: Lane
    /// What happens to the RAWs.
    public let originals: OriginalsPolicy
    /// The time of submission, in milliseconds since 1970.
    public let submittedMilliseconds: Int64
    /// Further recipes for the same sources.
    public let further: [Edition]
    /// Whether to hide the photos until the user selects them, see ``Job/isHeld``.
    public let isHeld: Bool

    /// Memberwise initializer.
    public init(
        batch: BatchID = .random(), sources: [Location], sourceParts: UInt32 = 0, excluded: [[UInt8]] = [],
        minRating: Int? = nil, recipe: Recipe, hasOwnLook: Bool = false, lane: Lane = .bulk,
        originals: OriginalsPolicy = .reference, submittedMilliseconds: Int64, further: [Edition] = [],
        isHeld: Bool = false
    ) {
        self.batch = batch
        self.isHeld = isHeld
        self.sources = sources
        self.sourceParts = sourceParts
        self.excluded = excluded
        self.minRating = minRating
        self.recipe = recipe
        self.hasOwnLook = hasOwnLook
        self.lane = lane
        self.originals = originals
        self.submittedMilliseconds = submittedMilliseconds
        self.further = further
    }

    /// One order for each recipe, this one first. They differ only in batch and recipe.
    public var editions: [ConversionOrder] {
        ([Edition(batch: batch, recipe: recipe, hasOwnLook: hasOwnLook)] + further).map { edition in
            ConversionOrder(
                batch: edition.batch, sources: sources, sourceParts: sourceParts, excluded: excluded,
                minRating: minRating, recipe: edition.recipe, hasOwnLook: edition.hasOwnLook, lane: lane,
                originals: originals, submittedMilliseconds: submittedMilliseconds, isHeld: isHeld)
        }
    }
}

/// Some of the sources of an order whose sources exceed one record.
public struct SourcePart: Hashable, Sendable {
    /// The order's batch.
    public let batch: BatchID
    /// The part's number, from 0.
    public let number: UInt32
    /// At least one source.
    public let sources: [ConversionOrder.Location]

    /// Memberwise initializer.
    public init(batch: BatchID, number: UInt32, sources: [ConversionOrder.Location]) {
        self.batch = batch
        self.number = number
        self.sources = sources
    }
}
