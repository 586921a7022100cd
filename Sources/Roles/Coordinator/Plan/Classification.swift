internal import Digest
public import Jobs

struct KnownJob: Hashable, Sendable {
    let sequence: Int64
    let id: JobID
    let batch: Int64
    let state: JobState
    /// See `Job.precedence`.
    let precedence: Int64
    let recipe: Int64
    let originals: OriginalsPolicy
    let variant: String
    let source: Source
    let failure: Failure?
    /// A user removed its photos from the library, or the library deleted its path because the RAW left it.
    var isRemoved = false
    /// Only edits requested it, so the library need not show its photo.
    var isHeld = false
    var engine = Engine.version
}

/// A file to plan, with the id of its job.
public struct Candidate: Hashable, Sendable {
    /// The file with its sidecar and companion.
    public let found: FoundSource
    /// The id that its job has or would have.
    public let job: JobID

    init(_ found: FoundSource, recipe: SHA256Value) {
        self.found = found
        job = JobID(source: found.source.fingerprint, recipe: recipe)
    }
}

enum Classification {
    /// - Parameters:
    ///   - known: the ledger's jobs for the file's path, oldest first.
    ///   - recipe: the ledger's number of the requested recipe; nil if unknown.
    ///   - batch: the ledger's number of the requesting batch; nil for a new one.
    ///   - isMissing: whether the ended job's photo is missing.
    static func of(
        _ candidate: Candidate, known: [KnownJob], recipe: Int64?, originals: OriginalsPolicy,
        isHeld: Bool = false, batch: Int64? = nil, isMissing: Bool = false
    ) -> PlanClass {
        var planClass = ignoringAccess(candidate, known: known, recipe: recipe, isHeld: isHeld, batch: batch)
        if planClass == .unchanged, let job = known.first(where: { $0.id == candidate.job }), job.batch != batch,
            job.originals.isLess(than: originals)
        {
            planClass = .stale(.originals)
        }
        let job = known.first { $0.id == candidate.job }
        if isMissing || job?.isRemoved == true, planClass == .unchanged, job?.batch != batch {
            planClass = .stale(.photo)
        }
        guard planClass.isSubmitted, let cause = candidate.found.unreadable else { return planClass }
        return .unreadable(cause)
    }

    /// The class of a readable file whose RAW stays where it is.
    private static func ignoringAccess(
        _ candidate: Candidate, known: [KnownJob], recipe: Int64?, isHeld: Bool, batch: Int64?
    ) -> PlanClass {
        if let job = known.first(where: { $0.id == candidate.job }) {
            // A batch does not request the same job twice.
            if job.batch == batch { return planClass(of: job) }
            if let later = successor(of: job, among: known) { return .stale(cause(job.source, since: later.source)) }
            // An edit is rendered by the newest engine, and need not be shown.
            if isHeld {
                return job.state.isCatalogued && job.engine < Engine.version ? .stale(.engine) : planClass(of: job)
            }
            return isHidden(job, among: known) ? .stale(.recipe) : planClass(of: job)
        }
        guard let latest = known.last(where: { $0.recipe == recipe }) ?? known.last else { return .new }
        return .stale(cause(candidate.found.source, since: latest.source))
    }

    /// Whether a photo of the same variant with other settings replaces this one in the library, now or soon, or the
    /// photo was only made for an edit. A new request makes this one the current photo again.
    ///
    /// Later choices of a user do not count: running the same command again leaves edits alone.
    private static func isHidden(_ job: KnownJob, among known: [KnownJob]) -> Bool {
        guard job.state.isCatalogued else { return false }
        return job.isHeld && !known.contains { isShown($0, insteadOf: job) }
            || known.contains { other in
                other.variant == job.variant && other.recipe != job.recipe && !other.isHeld
                    && (other.state.isOpen
                        || other.state.isCatalogued && other.precedence > job.precedence)
            }
    }

    /// A later job that rendered the same photo again with another sidecar or camera JPEG. The files beside the RAW are
    /// now as before that, but the photo is not.
    private static func successor(of job: KnownJob, among known: [KnownJob]) -> KnownJob? {
        guard job.state.isCatalogued else { return nil }
        return known.filter { other in
            other.recipe == job.recipe && other.source.raw == job.source.raw && other.id != job.id
                && (other.state.isOpen || other.state.isCatalogued) && other.precedence > job.precedence
        }.max { $0.precedence < $1.precedence }
    }

    /// Whether an ordered job of the same photo is shown: a rescan rendered it again with another sidecar.
    private static func isShown(_ other: KnownJob, insteadOf job: KnownJob) -> Bool {
        other.recipe == job.recipe && other.source.raw == job.source.raw && !other.isHeld && other.state.isCatalogued
    }

    private static func planClass(of job: KnownJob) -> PlanClass {
        switch job.state {
        case .accepted, .published: .pending
        case .catalogued, .degraded: .unchanged
        case .cancelled: .again
        case .failed: job.failure.map { isTransient($0.reason) ? .again : .failedBefore($0) } ?? .again
        }
    }

    /// Failures of a file's surroundings, which running the same command again may resolve.
    private static func isTransient(_ reason: FailureReason) -> Bool {
        switch reason {
        case .sourceMissing, .sourceChanged, .sourceUnreadable, .diskFull, .storageUnavailable, .libraryRefused: true
        default: false
        }
    }

    private static func cause(_ source: Source, since earlier: Source) -> StaleCause {
        if source.raw != earlier.raw { return .raw }
        if source.sidecar != earlier.sidecar { return .sidecar }
        return source.companion != earlier.companion ? .companion : .recipe
    }
}
