public import Jobs

/// The state of a batch, published by the coordinator in the compacted status topic under the batch's id.
public struct BatchStatus: Hashable, Sendable {
    /// How far the batch is.
    public enum Phase: Hashable, Sendable, CaseIterable {
        /// Its folders are still being walked.
        case planning
        case running, paused, cancelled
        /// Nothing of it could be accepted.
        case refused
        /// Every job of it has ended.
        case completed
    }

    /// Names the batch.
    public let batch: BatchID
    /// Milliseconds since 1970.
    public let submittedMilliseconds: Int64
    /// The look's name and version.
    public let look: String
    /// Whether its jobs overtake bulk jobs.
    public let lane: Lane
    /// How far it is.
    public let phase: Phase
    /// Its jobs by state.
    public let counts: JobCounts
    /// Records of its jobs with a lower epoch are out of date.
    public let epoch: UInt32
    /// Files of the plan that needed nothing.
    public let unchanged: UInt64
    /// Files of the plan that failed before and were left alone.
    public let failedBefore: UInt64
    /// Files of the plan that could not be examined.
    public let unreadable: UInt64
    /// Why it was refused; nil where it was not.
    public let problem: String?
    /// Open jobs that were refused, and are handed out again.
    public let refused: UInt64
    /// Among them those whose RAW a worker does not see. Of the others the library refused the photo.
    public let unseen: UInt64
    /// Why one of them was refused.
    public let refusal: Refusal?
    /// Links of the plan that lead out of the root, or to nothing.
    public let links: UInt64
    /// Sources of the order that are not there.
    public let missing: UInt64
    /// Files of the plan that are no camera RAWs.
    public let notRaw: UInt64
    /// Photos that the library had already, of RAWs at another path: nothing was developed for them.
    public let reused: UInt64
    /// The names of the first files that a person should know of.
    public var files: [FileGroup]

    /// The parameters are the properties of the same names. Running and completed differ by
    /// the open jobs alone.
    public init(
        batch: BatchID, submittedMilliseconds: Int64, look: String, lane: Lane, phase: Phase,
        counts: JobCounts = JobCounts(), epoch: UInt32 = 0, unchanged: UInt64 = 0, failedBefore: UInt64 = 0,
        unreadable: UInt64 = 0, problem: String? = nil, refused: UInt64 = 0, unseen: UInt64 = 0,
        refusal: Refusal? = nil, links: UInt64 = 0, missing: UInt64 = 0, notRaw: UInt64 = 0, reused: UInt64 = 0,
        files: [FileGroup] = []
    ) {
        self.batch = batch
        self.submittedMilliseconds = submittedMilliseconds
        self.look = look
        self.lane = lane
        switch phase {
        case .running, .completed: self.phase = counts.open == 0 ? .completed : .running
        default: self.phase = phase
        }
        self.counts = counts
        self.epoch = epoch
        self.unchanged = unchanged
        self.failedBefore = failedBefore
        self.unreadable = unreadable
        self.problem = problem
        self.refused = refused
        self.unseen = unseen
        self.refusal = refusal
        self.links = links
        self.missing = missing
        self.notRaw = notRaw
        self.reused = reused
        self.files = files
    }

    /// True where nothing is left to do for it.
    public var isOver: Bool { phase != .planning && (counts.open == 0 || phase == .refused || phase == .cancelled) }
}

/// The state of the coordinator, published by itself in the status topic.
public struct CoordinatorStatus: Hashable, Sendable {
    /// When it was published, in milliseconds since 1970.
    public let atMilliseconds: Int64
    /// The jobs of all batches by state.
    public let counts: JobCounts
    /// Failed jobs by reason, the most frequent first.
    public let failures: [ReasonCount]
    /// No worker is to begin a job.
    public let isPaused: Bool
    /// Counts up whenever an operator resumes everything.
    public let resumes: UInt64
    /// Version of its develop engine.
    public let engine: UInt32
    /// Offset in the control topic below which every command has been carried out; 0 if a former version wrote it.
    public let controlOffset: Int64
    /// Open jobs that were refused, and are handed out again.
    public let refused: UInt64
    /// Among them those whose RAW a worker does not see. Of the others the library refused the photo.
    public let unseen: UInt64

    /// How many jobs failed for one reason.
    public struct ReasonCount: Hashable, Sendable {
        /// Why they failed.
        public let reason: FailureReason
        /// How many did.
        public let jobs: UInt64

        /// - Parameters:
        /// - reason: why they failed.
        /// - jobs: how many did.
        public init(reason: FailureReason, jobs: UInt64) {
            self.reason = reason
            self.jobs = jobs
        }
    }

    /// The parameters are the properties of the same names.
    public init(
        atMilliseconds: Int64, counts: JobCounts, failures: [ReasonCount] = [], isPaused: Bool = false,
        resumes: UInt64 = 0, engine: UInt32 = Engine.version, controlOffset: Int64 = 0, refused: UInt64 = 0,
        unseen: UInt64 = 0
    ) {
        self.atMilliseconds = atMilliseconds
        self.counts = counts
        self.failures = failures
        self.isPaused = isPaused
        self.resumes = resumes
        self.engine = engine
        self.controlOffset = controlOffset
        self.refused = refused
        self.unseen = unseen
    }
}

/// What a record of the status topic is about; its key says it.
public enum StatusSubject: Hashable, Sendable {
    /// The coordinator itself.
    case coordinator
    /// One batch.
    case batch(BatchID)
    /// The worker shall finish what it has begun and exit; the record is a `Control`.
    case drain(worker: String)
    /// A root; the record is a `RootStatus`.
    case root(RootName)

    /// The record's key.
    public var key: [UInt8] {
        switch self {
        case .coordinator: Array("coordinator".utf8)
        case .batch(let batch): Array("batch/\(batch)".utf8)
        case .drain(let worker): Array("drain/\(worker)".utf8)
        case .root(let name): Array("root/\(name)".utf8)
        }
    }

    /// Nil for a key of a later version; skip its record.
    public init?(key: [UInt8]) {
        guard let text = String(validating: key, as: UTF8.self) else { return nil }
        if text == "coordinator" {
            self = .coordinator
        } else if text.hasPrefix("batch/"), let batch = BatchID(hex: text.dropFirst(6)) {
            self = .batch(batch)
        } else if text.hasPrefix("drain/"), text.utf8.count > 6 {
            self = .drain(worker: String(text.dropFirst(6)))
        } else if text.hasPrefix("root/"), let name = RootName(String(text.dropFirst(5))) {
            self = .root(name)
        } else {
            return nil
        }
    }
}
