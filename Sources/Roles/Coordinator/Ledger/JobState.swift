internal import Manifests

/// The state of a job in the ledger. The raw value is stored in the database.
public enum JobState: Int, Hashable, Sendable, CaseIterable {
    /// In the outbox.
    case accepted = 0
    /// Durable in a jobs topic.
    case published = 1
    case catalogued = 2
    /// Catalogued, but its colours cannot be trusted, or some of its frames failed.
    case degraded = 3
    case failed = 4
    case cancelled = 5

    /// True until the job ends.
    public var isOpen: Bool { self == .accepted || self == .published }
    /// True if the library has the photo.
    public var isCatalogued: Bool { self == .catalogued || self == .degraded }

    /// The state that a manifest changes this one to; nil if it changes nothing.
    ///
    /// A manifest of an older round is about attempts that a retry replaced. Otherwise a success always counts, even a
    /// late one: the photo is in the library. A failure counts only while the job is open.
    ///
    /// - Parameters:
    ///   - manifestRound: a later round than the job's comes from a ledger that was restored from a backup.
    ///   - round: the job's.
    func next(after outcome: Manifest.Outcome, manifestRound: UInt32, round: UInt32) -> JobState? {
        guard manifestRound >= round, !isCatalogued else { return nil }
        switch outcome {
        case .completed(let frames): return frames.degradation != nil ? .degraded : .catalogued
        case .failed: return isOpen ? .failed : nil
        }
    }
}
