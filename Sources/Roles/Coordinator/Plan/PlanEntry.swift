public import Jobs

/// What the plan says of a file: what is to be done with it, and why.
public enum PlanClass: Hashable, Sendable {
    /// Never seen.
    case new
    /// Seen, but not so.
    case stale(StaleCause)
    /// It ended before for a reason outside the file that may have passed, or was cancelled: once more.
    case again
    /// Accepted before and still open: carried on.
    case pending
    /// Done.
    case unchanged
    /// It failed and is as it was then: `rawmill retry` starts it afresh.
    case failedBefore(Failure)
    /// It cannot be read. The text is the system's words.
    case unreadable(String)

    /// True where accepting the plan makes an open job of it.
    public var isSubmitted: Bool {
        switch self {
        case .new, .stale, .again: true
        case .pending, .unchanged, .failedBefore, .unreadable: false
        }
    }
}

/// Why a known file is converted again.
public enum StaleCause: String, Hashable, Sendable, CaseIterable {
    /// The RAW has another size or time.
    case raw
    /// Its sidecar came, went or changed.
    case sidecar
    /// The camera's own JPEG came, went or changed.
    case companion
    /// The file is as it was, and is asked for with other settings than the last time.
    case recipe
    /// The photo is done, but its RAW is now to be copied or moved into the library as well.
    case originals
}

/// A file of the plan.
public struct PlanEntry: Hashable, Sendable {
    public let source: Source
    public let job: JobID
    public let planClass: PlanClass

    public init(source: Source, job: JobID, planClass: PlanClass) {
        self.source = source
        self.job = job
        self.planClass = planClass
    }
}

/// A plan in numbers.
public struct PlanCounts: Hashable, Sendable {
    public var new = 0
    public var stale: [StaleCause: Int] = [:]
    public var again = 0
    public var pending = 0
    public var unchanged = 0
    public var failedBefore = 0
    /// Files and folders that could not be read, and sources that were not there.
    public var unreadable = 0
    /// Links that lead out, or to nothing.
    public var linksOut = 0
    /// What the walk passed by: `notRaw` and the rest.
    public var passed = WalkTally()

    public init() {}

    /// Jobs the plan opens.
    public var submitted: Int { new + again + stale.values.reduce(0, +) }

    public mutating func count(_ planClass: PlanClass) {
        switch planClass {
        case .new: new += 1
        case .stale(let cause): stale[cause, default: 0] += 1
        case .again: again += 1
        case .pending: pending += 1
        case .unchanged: unchanged += 1
        case .failedBefore: failedBefore += 1
        case .unreadable: unreadable += 1
        }
    }

    public mutating func count(_ problem: WalkProblem) {
        if problem.isUnreadable { unreadable += 1 } else { linksOut += 1 }
    }
}
