/// The state of a job in the ledger. The raw value is stored in the database.
public enum JobState: Int, Hashable, Sendable, CaseIterable {
    /// In the outbox.
    case accepted = 0
    /// Durable in a jobs topic.
    case published = 1
    /// In the library, as the cataloguer says.
    case catalogued = 2
    /// Catalogued, but its colours cannot be trusted, or some of its frames failed.
    case degraded = 3
    case failed = 4
    case cancelled = 5

    /// True until the job ends.
    public var isOpen: Bool { self == .accepted || self == .published }
    /// True if the library has the photo.
    public var isCatalogued: Bool { self == .catalogued || self == .degraded }
}
