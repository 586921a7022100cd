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
    /// Set where nothing is rendered: the camera's own picture is taken out of the RAW, into a file that comes along last.
    public let cameraPicture: CameraPictureSize?

    /// - Parameters:
    /// - job: what to render.
    /// - threads: how many may share the work; 0 for as many as the process was started with.
    /// - hasLookTable: whether the look's table comes along.
    /// - hasLensTable: whether the recipe's lens table comes along.
    /// - hasCameraProfiles: whether the recipe's camera profiles come along.
    /// - cameraPicture: set to take out the camera's own picture instead.
    public init(
        job: Job, threads: UInt32 = 0, hasLookTable: Bool = false, hasLensTable: Bool = false,
        hasCameraProfiles: Bool = false, cameraPicture: CameraPictureSize? = nil
    ) {
        self.cameraPicture = cameraPicture
        self.job = job
        self.threads = threads
        self.hasLookTable = hasLookTable
        self.hasLensTable = hasLensTable
        self.hasCameraProfiles = hasCameraProfiles
    }
}

/// Which of the pictures that a camera embedded in a RAW.
public enum CameraPictureSize: Hashable, Sendable, CaseIterable {
    /// A thumbnail, if there is one: read at once.
    case small
    /// The one with the most pixels.
    case large
}
