internal import Manifests

/// Where a job of the ledger stands. The raw value is what the database holds.
public enum JobState: Int, Hashable, Sendable, CaseIterable {
    /// In the outbox.
    case accepted = 0
    /// Durable in a jobs topic.
    case published = 1
    case catalogued = 2
    /// Catalogued, but its colours cannot be trusted.
    case degraded = 3
    case failed = 4
    case cancelled = 5

    public var isOpen: Bool { self == .accepted || self == .published }
    public var isCatalogued: Bool { self == .catalogued || self == .degraded }

    /// What a manifest does to a job in this state; nil for nothing.
    ///
    /// An older round's manifest tells of attempts that a fresh start replaced. Otherwise a success always counts,
    /// even late: the photo is in the library. A failure counts only while nothing else ended the job.
    ///
    /// - Parameters:
    ///   - round: the job's.
    ///   - manifestRound: a later one than the job's comes from a ledger that was restored from a backup.
    func closed(by outcome: Manifest.Outcome, manifestRound: UInt32, round: UInt32) -> JobState? {
        guard manifestRound >= round, !isCatalogued else { return nil }
        switch outcome {
        case .completed(let renditions): return renditions.contains { $0.degraded != nil } ? .degraded : .catalogued
        case .failed: return isOpen ? .failed : nil
        }
    }
}
