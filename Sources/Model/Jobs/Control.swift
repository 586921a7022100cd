/// A person's command to the coordinator, sent over the control topic.
public enum Control: Hashable, Sendable {
    /// Begin no more jobs of the batch; nil for every batch.
    case pause(BatchID?)
    /// Go on with the batch's jobs; nil for every batch.
    case resume(BatchID?)
    /// End the jobs of the batch that were not begun.
    case cancel(BatchID)
    /// Keep some of the sources of an order that follows.
    case sources(SourcePart)
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

    /// A further recipe for the same sources: a batch of its own.
    public struct Edition: Hashable, Sendable {
        /// Its batch.
        public let batch: BatchID
        /// What decides the pixels.
        public let recipe: Recipe
        /// True where the look is the user's own table.
        public let hasOwnLook: Bool

        /// - Parameters:
        /// - batch: its batch.
        /// - recipe: what decides the pixels.
        /// - hasOwnLook: true where the look is the user's own table.
        public init(batch: BatchID = .random(), recipe: Recipe, hasOwnLook: Bool = false) {
            self.batch = batch
            self.recipe = recipe
            self.hasOwnLook = hasOwnLook
        }
    }

    /// Names the submission.
    public let batch: BatchID
    /// What to convert; at least one, unless there are further parts.
    public let sources: [Location]
    /// The number of records with further sources, which came before the order.
    public let sourceParts: UInt32
    /// Patterns of files and folders that are left out.
    public let excluded: [[UInt8]]
    /// The least number of stars, −1 to 5; nil takes every file.
    public let minRating: Int?
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
    /// Further recipes for the same sources.
    public let further: [Edition]
    /// True if the photos are not to be shown until a person chooses them, see ``Job/isHeld``.
    public let isHeld: Bool

    /// - Parameters:
    /// - batch: names the submission.
    /// - sources: what to convert; at least one, unless there are further parts.
    /// - sourceParts: the number of records with further sources, which came before the order.
    /// - excluded: patterns of files and folders that are left out.
    /// - minRating: the least number of stars, −1 to 5; nil takes every file.
    /// - recipe: what decides the pixels.
    /// - hasOwnLook: true where the look is the user's own table.
    /// - lane: whether its jobs overtake bulk jobs.
    /// - originals: what becomes of the RAWs.
    /// - submittedMilliseconds: since 1970.
    /// - further: further recipes for the same sources.
    /// - isHeld: whether the photos wait to be chosen.
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

    /// One order for each recipe, this one first. Apart from batch and recipe they are the same.
    public var editions: [ConversionOrder] {
        ([Edition(batch: batch, recipe: recipe, hasOwnLook: hasOwnLook)] + further).map { edition in
            ConversionOrder(
                batch: edition.batch, sources: sources, sourceParts: sourceParts, excluded: excluded,
                minRating: minRating, recipe: edition.recipe, hasOwnLook: edition.hasOwnLook, lane: lane,
                originals: originals, submittedMilliseconds: submittedMilliseconds, isHeld: isHeld)
        }
    }
}

/// Some of the sources of an order that has more of them than one record can hold.
public struct SourcePart: Hashable, Sendable {
    /// The order's.
    public let batch: BatchID
    /// From 0.
    public let number: UInt32
    /// At least one.
    public let sources: [ConversionOrder.Location]

    /// - Parameters:
    /// - batch: the order's.
    /// - number: from 0.
    /// - sources: at least one.
    public init(batch: BatchID, number: UInt32, sources: [ConversionOrder.Location]) {
        self.batch = batch
        self.number = number
        self.sources = sources
    }
}
