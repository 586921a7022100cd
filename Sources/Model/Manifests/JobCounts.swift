/// Jobs by state, of a batch or of all batches.
public struct JobCounts: Hashable, Sendable {
    /// Accepted jobs.
    public var accepted: Int
    /// Jobs without a final state.
    public var open: Int
    /// Jobs whose renditions are in the library.
    public var catalogued: Int
    /// Likewise, but the colours of a rendition cannot be trusted.
    public var degraded: Int
    /// Jobs that ended without a rendition.
    public var failed: Int
    /// Jobs that were cancelled before they started.
    public var cancelled: Int

    /// Memberwise initializer.
    public init(
        accepted: Int = 0, open: Int = 0, catalogued: Int = 0, degraded: Int = 0, failed: Int = 0,
        cancelled: Int = 0
    ) {
        self.accepted = accepted
        self.open = open
        self.catalogued = catalogued
        self.degraded = degraded
        self.failed = failed
        self.cancelled = cancelled
    }

    /// The ledger's invariant: every accepted job is in exactly one state. The sum may wrap, because a damaged ledger
    /// or record can hold any number.
    public var isBalanced: Bool { accepted == open &+ catalogued &+ degraded &+ failed &+ cancelled }
}
