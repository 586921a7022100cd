public import Jobs

/// A worker's request to a render process. The files come along as descriptors: the RAW, the sidecar and the companion that the
/// job names, the look's table, the lens table, and the recipe's camera profiles.
public struct RenderRequest: Hashable, Sendable {
    /// What to render.
    public let job: Job
    /// How many threads may share the work; 0 for as many as the process was started with. The files do not depend on
    /// it.
    public let threads: UInt32
    /// Whether the look has a table, which comes along.
    public let hasLookTable: Bool
    /// Whether the recipe's lens table comes along.
    public let hasLensTable: Bool
    /// Whether the recipe's camera profiles come along.
    public let hasCameraProfiles: Bool

    /// - Parameters:
    /// - job: what to render.
    /// - threads: how many may share the work; 0 for as many as the process was started with.
    /// - hasLookTable: whether the look's table comes along.
    /// - hasLensTable: whether the recipe's lens table comes along.
    /// - hasCameraProfiles: whether the recipe's camera profiles come along.
    public init(
        job: Job, threads: UInt32 = 0, hasLookTable: Bool = false, hasLensTable: Bool = false,
        hasCameraProfiles: Bool = false
    ) {
        self.job = job
        self.threads = threads
        self.hasLookTable = hasLookTable
        self.hasLensTable = hasLensTable
        self.hasCameraProfiles = hasCameraProfiles
    }
}
