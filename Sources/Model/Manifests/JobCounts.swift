/// How many jobs stand where, of a batch or of all.
public struct JobCounts: Hashable, Sendable {
    public var accepted: Int
    public var open: Int
    public var catalogued: Int
    public var degraded: Int
    public var failed: Int
    public var cancelled: Int

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

    /// The ledger's law. The sum may wrap: a damaged ledger or a record can hold any number.
    public var isBalanced: Bool { accepted == open &+ catalogued &+ degraded &+ failed &+ cancelled }
}
