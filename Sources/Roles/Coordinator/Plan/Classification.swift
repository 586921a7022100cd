internal import Digest
public import Jobs

/// A job the ledger knows for a file.
struct KnownJob: Hashable, Sendable {
    let sequence: Int64
    let id: JobID
    /// The ledger's number of its batch.
    let batch: Int64
    let state: JobState
    /// When its render ended, in milliseconds since 1970; 0 for a job that has no manifest yet.
    let finishedMilliseconds: Int64
    /// The ledger's number of its recipe.
    let recipe: Int64
    /// What the last batch that asked for it wanted done with the RAW.
    let originals: OriginalsPolicy
    /// The name of its recipe's look.
    let look: String
    let source: Source
    let failure: Failure?
}

/// A file to be planned, with what its job would be called.
public struct Candidate: Hashable, Sendable {
    public let found: FoundSource
    public let job: JobID

    /// - Parameter recipe: the recipe's digest.
    init(_ found: FoundSource, recipe: SHA256Value) {
        self.found = found
        job = JobID(source: found.source.fingerprint, recipe: recipe)
    }
}

/// Decides what is to be done with a file.
enum Classification {
    /// - Parameters:
    ///   - known: the ledger's jobs for the file's path, oldest first.
    ///   - recipe: the ledger's number of the recipe asked for; nil for one it never saw.
    ///   - originals: what is to be done with the RAW.
    ///   - batch: the ledger's number of the batch that asks; nil for a new one.
    static func of(
        _ candidate: Candidate, known: [KnownJob], recipe: Int64?, originals: OriginalsPolicy, batch: Int64? = nil
    ) -> PlanClass {
        var standing = before(candidate, known: known, recipe: recipe, batch: batch)
        if standing == .unchanged, let job = known.first(where: { $0.id == candidate.job }), job.batch != batch,
            job.originals.isLess(than: originals)
        {
            standing = .stale(.originals)
        }
        guard standing.isSubmitted, let cause = candidate.found.unreadable else { return standing }
        return .unreadable(cause)
    }

    private static func before(
        _ candidate: Candidate, known: [KnownJob], recipe: Int64?, batch: Int64?
    ) -> PlanClass {
        if let job = known.first(where: { $0.id == candidate.job }) {
            // What a batch asked for it does not ask for twice.
            return job.batch != batch && isHidden(job, among: known) ? .stale(.recipe) : standing(of: job)
        }
        guard let latest = known.last(where: { $0.recipe == recipe }) ?? known.last else { return .new }
        return .stale(cause(candidate.found.source, since: latest.source))
    }

    /// A photo of the same look with other settings took its place in the library, or is about to: what is asked for is
    /// to be shown again.
    private static func isHidden(_ job: KnownJob, among known: [KnownJob]) -> Bool {
        job.state.isCatalogued
            && known.contains { other in
                other.look == job.look && other.recipe != job.recipe
                    && (other.state.isOpen
                        || other.state.isCatalogued && other.finishedMilliseconds > job.finishedMilliseconds)
            }
    }

    private static func standing(of job: KnownJob) -> PlanClass {
        switch job.state {
        case .accepted, .published: .pending
        case .catalogued, .degraded: .unchanged
        case .cancelled: .again
        case .failed: job.failure.map { mayHavePassed($0.reason) ? .again : .failedBefore($0) } ?? .again
        }
    }

    /// Failures whose remedy is to run the same command again: not the file was at fault, but what was around it.
    private static func mayHavePassed(_ reason: FailureReason) -> Bool {
        switch reason {
        case .sourceMissing, .sourceChanged, .sourceUnreadable, .diskFull, .storageUnavailable: true
        default: false
        }
    }

    private static func cause(_ source: Source, since earlier: Source) -> StaleCause {
        if source.raw != earlier.raw { return .raw }
        if source.sidecar != earlier.sidecar { return .sidecar }
        return source.companion != earlier.companion ? .companion : .recipe
    }
}
