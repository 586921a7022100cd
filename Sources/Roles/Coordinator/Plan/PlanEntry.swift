public import Jobs

/// What the plan does with a file, and why.
public enum PlanClass: Hashable, Sendable {
    /// The ledger has no job for the file.
    case new
    /// The file was converted in another state or with other settings.
    case stale(StaleCause)
    /// Cancelled, or failed for a reason outside the file that may be gone.
    case again
    case pending
    case unchanged
    /// Failed, and unchanged since: `rawmill retry` restarts it.
    case failedBefore(Failure)
    /// Unreadable. The text is the system's message.
    case unreadable(String)

    /// Whether accepting the plan makes it an open job.
    public var isSubmitted: Bool {
        switch self {
        case .new, .stale, .again: true
        case .pending, .unchanged, .failedBefore, .unreadable: false
        }
    }

    /// The failure of an unreadable file; nil for every other class.
    public func failure(of source: Source) -> Failure? {
        guard case .unreadable(let cause) = self else { return nil }
        return Failure(.sourceUnreadable, "\(source.raw.file) cannot be read: \(cause).")
    }
}

/// Why a known file is converted again.
public enum StaleCause: String, Hashable, Sendable, CaseIterable {
    case raw
    /// The sidecar was added, removed or changed.
    case sidecar
    /// The camera's own JPEG was added, removed or changed.
    case companion
    /// The unchanged file is requested with other settings than last time.
    case recipe
    /// The photo is done, but its RAW is now to be copied or moved into the library as well.
    case originals
    case photo
    case engine
}

/// A file of the plan.
public struct PlanEntry: Hashable, Sendable {
    /// The RAW with its sidecar and companion.
    public let source: Source
    /// The job that the file has or would have.
    public let job: JobID
    /// What the plan does with the file.
    public let planClass: PlanClass

    /// Creates an entry from its parts.
    public init(source: Source, job: JobID, planClass: PlanClass) {
        self.source = source
        self.job = job
        self.planClass = planClass
    }
}

/// Numbers of files in a plan, by class.
public struct PlanCounts: Hashable, Sendable {
    /// Files unknown to the ledger.
    public var new = 0
    /// Known files to convert again, by cause.
    public var stale: [StaleCause: Int] = [:]
    /// Files to retry.
    public var again = 0
    /// Files with open jobs.
    public var pending = 0
    /// Files converted before.
    public var unchanged = 0
    /// Files that failed and have not changed since.
    public var failedBefore = 0
    /// Unreadable files and folders, and missing sources.
    public var unreadable = 0
    /// Missing sources, which also count as unreadable.
    public var missing = 0
    /// Links that point outside the root, or to nothing.
    public var linksOut = 0
    /// Counts of skipped files.
    public var skipped = WalkTally()

    /// Creates counts of zero.
    public init() {}

    /// Jobs that the plan opens.
    public var submitted: Int { new + again + stale.values.reduce(0, +) }

    /// Counts a file.
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

    static func + (a: Self, b: Self) -> Self {
        var sum = a
        sum.new += b.new
        sum.stale.merge(b.stale, uniquingKeysWith: +)
        sum.again += b.again
        sum.pending += b.pending
        sum.unchanged += b.unchanged
        sum.failedBefore += b.failedBefore
        sum.unreadable += b.unreadable
        sum.missing += b.missing
        sum.linksOut += b.linksOut
        sum.skipped.add(b.skipped)
        return sum
    }

    /// Counts a problem of the walk.
    public mutating func count(_ problem: WalkProblem) {
        if problem.isUnreadable { unreadable += 1 } else { linksOut += 1 }
        if problem.kind == .missing { missing += 1 }
    }
}
