public import Jobs

/// The coordinator's word about a batch, in the compacted status topic under the batch's id.
public struct BatchStatus: Hashable, Sendable {
    public enum Phase: Hashable, Sendable, CaseIterable {
        /// Its folders are not walked to their end yet.
        case planning
        case running, paused, cancelled
        /// Nothing of it could be accepted.
        case refused
    }

    public let batch: BatchID
    /// Milliseconds since 1970.
    public let submittedMilliseconds: Int64
    /// Name and version.
    public let look: String
    public let lane: Lane
    public let phase: Phase
    public let counts: JobCounts
    /// Records of its jobs with a lower epoch are out of date.
    public let epoch: UInt32
    /// Files of the plan that needed nothing, that failed before and were left alone, that could not be looked at.
    public let unchanged: UInt64
    public let failedBefore: UInt64
    public let unreadable: UInt64
    /// Why it was refused; nil where it was not.
    public let problem: String?

    public init(
        batch: BatchID, submittedMilliseconds: Int64, look: String, lane: Lane, phase: Phase,
        counts: JobCounts = JobCounts(), epoch: UInt32 = 0, unchanged: UInt64 = 0, failedBefore: UInt64 = 0,
        unreadable: UInt64 = 0, problem: String? = nil
    ) {
        self.batch = batch
        self.submittedMilliseconds = submittedMilliseconds
        self.look = look
        self.lane = lane
        self.phase = phase
        self.counts = counts
        self.epoch = epoch
        self.unchanged = unchanged
        self.failedBefore = failedBefore
        self.unreadable = unreadable
        self.problem = problem
    }

    /// Nothing is left to do for it that nobody holds back.
    public var isOver: Bool { phase != .planning && (counts.open == 0 || phase == .refused || phase == .cancelled) }
}

/// The coordinator's word about itself, in the status topic.
public struct CoordinatorStatus: Hashable, Sendable {
    /// Milliseconds since 1970, when it said so.
    public let atMilliseconds: Int64
    public let counts: JobCounts
    /// Failed jobs by reason, most first.
    public let failures: [ReasonCount]
    public let isPaused: Bool
    /// Counts up when an operator has everything go on.
    public let resumes: UInt64
    public let engine: UInt32

    public struct ReasonCount: Hashable, Sendable {
        public let reason: FailureReason
        public let jobs: UInt64

        public init(reason: FailureReason, jobs: UInt64) {
            self.reason = reason
            self.jobs = jobs
        }
    }

    public init(
        atMilliseconds: Int64, counts: JobCounts, failures: [ReasonCount] = [], isPaused: Bool = false,
        resumes: UInt64 = 0, engine: UInt32 = Engine.version
    ) {
        self.atMilliseconds = atMilliseconds
        self.counts = counts
        self.failures = failures
        self.isPaused = isPaused
        self.resumes = resumes
        self.engine = engine
    }
}

/// A record of the status topic: its key says what it is about.
public enum StatusSubject: Hashable, Sendable {
    case coordinator
    case batch(BatchID)
    /// The worker is asked to finish what it has begun and to end; its record is a `Control`.
    case drain(worker: String)

    public var key: [UInt8] {
        switch self {
        case .coordinator: Array("coordinator".utf8)
        case .batch(let batch): Array("batch/\(batch)".utf8)
        case .drain(let worker): Array("drain/\(worker)".utf8)
        }
    }

    /// Nil for a key of a later version, which is passed over.
    public init?(key: [UInt8]) {
        guard let text = String(validating: key, as: UTF8.self) else { return nil }
        if text == "coordinator" {
            self = .coordinator
        } else if text.hasPrefix("batch/"), let batch = BatchID(hex: text.dropFirst(6)) {
            self = .batch(batch)
        } else if text.hasPrefix("drain/"), text.utf8.count > 6 {
            self = .drain(worker: String(text.dropFirst(6)))
        } else {
            return nil
        }
    }
}
