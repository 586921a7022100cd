/// The state of a job in the ledger. The database stores the raw value.
public enum JobState: Int, Hashable, Sendable, CaseIterable {
    /// In the outbox.
    case accepted = 0
    /// Durable in a jobs topic.
    case published = 1
    /// In the library, according to the cataloguer.
    case catalogued = 2
    /// Catalogued, but with unreliable colours or without some of its frames.
    case degraded = 3
    case failed = 4
    case cancelled = 5

    /// Whether the job has not ended.
    public var isOpen: Bool { self == .accepted || self == .published }
    /// Whether the library has the photo.
    public var isCatalogued: Bool { self == .catalogued || self == .degraded }
}
