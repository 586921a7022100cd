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

/// How the jobs of a batch, or of all, stand.
public struct LedgerCounts: Hashable, Sendable {
    public var accepted: Int
    public var open: Int
    public var catalogued: Int
    public var degraded: Int
    public var failed: Int
    public var cancelled: Int

    public init(
        accepted: Int = 0, open: Int = 0, catalogued: Int = 0, degraded: Int = 0, failed: Int = 0, cancelled: Int = 0
    ) {
        self.accepted = accepted
        self.open = open
        self.catalogued = catalogued
        self.degraded = degraded
        self.failed = failed
        self.cancelled = cancelled
    }

    /// The ledger's law.
    public var isBalanced: Bool { accepted == open + catalogued + degraded + failed + cancelled }
}
