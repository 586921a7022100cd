public import Jobs

/// The state of a batch, published by the coordinator in the compacted status topic under the batch's id.
public struct BatchStatus: Hashable, Sendable {
    /// The progress of a batch.
    public enum Phase: Hashable, Sendable, CaseIterable {
        /// Its folders are being walked.
        case planning
        case running, paused, cancelled
        /// None of it could be accepted.
        case refused
        /// All its jobs have ended.
        case completed
    }

    /// The batch.
    public let batch: BatchID
    /// The time of submission, in milliseconds since 1970.
    public let submittedMilliseconds: Int64
    /// The look's name and version.
    public let look: String
    /// Whether its jobs overtake bulk jobs.
    public let lane: Lane
    /// The progress.
    public let phase: Phase
    /// The jobs by state.
    public let counts: JobCounts
    /// Records of its jobs with a lower epoch are out of date.
    public let epoch: UInt32
    /// Planned files that are up to date.
    public let unchanged: UInt64
    /// Planned files that failed earlier and were skipped.
    public let failedBefore: UInt64
    /// Planned files that could not be examined.
    public let unreadable: UInt64
    /// Why the batch was refused, if it was.
    public let problem: String?
    /// Open jobs that were refused and are handed out again.
    public let refused: UInt64
    /// Those of `refused` whose RAW a worker does not see. The library refused the photos of the others.
    public let unseen: UInt64
    /// Why one of them was refused.
    public let refusal: Refusal?
    /// Links of the plan that lead out of the root or nowhere.
    public let links: UInt64
    /// Sources of the order that do not exist.
    public let missing: UInt64
    /// Planned files that are not camera RAWs.
    public let notRaw: UInt64
    /// Photos that the library already had, of RAWs at another path: they were not developed.
    public let reused: UInt64
    /// The first files that need the user's attention.
    public var files: [FileGroup]

    /// Memberwise initializer. Running and completed differ only in the open jobs.
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

    /// Whether the batch needs no more work.
    public var isOver: Bool { phase != .planning && (counts.open == 0 || phase == .refused || phase == .cancelled) }
}

/// The state of the coordinator, which publishes it in the status topic.
public struct CoordinatorStatus: Hashable, Sendable {
    /// The time of publication, in milliseconds since 1970.
    public let atMilliseconds: Int64
    /// The jobs of all batches by state.
    public let counts: JobCounts
    /// Failed jobs by reason, the most frequent first.
    public let failures: [ReasonCount]
    /// Whether workers may start no jobs.
    public let isPaused: Bool
    /// Increases whenever an operator resumes everything.
    public let resumes: UInt64
    /// The version of its develop engine.
    public let engine: UInt32
    /// The offset in the control topic below which every command has been executed; 0 if an old version wrote it.
    public let controlOffset: Int64
    /// Open jobs that were refused and are handed out again.
    public let refused: UInt64
    /// Those of `refused` whose RAW a worker does not see. The library refused the photos of the others.
    public let unseen: UInt64

    /// The number of jobs that failed for one reason.
    public struct ReasonCount: Hashable, Sendable {
        /// The reason.
        public let reason: FailureReason
        /// The number of jobs.
        public let jobs: UInt64

        /// Memberwise initializer.
        public init(reason: FailureReason, jobs: UInt64) {
            self.reason = reason
            self.jobs = jobs
        }
    }

    /// Memberwise initializer.
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

/// The subject of a record of the status topic, encoded in its key.
public enum StatusSubject: Hashable, Sendable {
    case coordinator
    case batch(BatchID)
    /// The worker must finish its jobs and exit; the record is a `Control`.
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
