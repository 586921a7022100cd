public import Jobs

/// A worker's request to a render process. It comes with descriptors of the RAW, the sidecar and the companion of the
/// job, the look's table, the lens table, and the recipe's camera profiles.
public struct RenderRequest: Hashable, Sendable {
    /// What to render.
    public let job: Job
    /// The maximum number of threads; 0 for the process's own. The files do not depend on it.
    public let threads: UInt32
    /// Whether the look's table comes along.
    public let hasLookTable: Bool
    /// Whether the recipe's lens table comes along.
    public let hasLensTable: Bool
    /// Whether the recipe's camera profiles come along.
    public let hasCameraProfiles: Bool
    /// Set to render nothing, and to extract the camera's picture from the RAW into a file that comes along last.
    public let cameraPicture: CameraPictureSize?

    /// Memberwise initializer.
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

/// The size of a picture that the camera embedded in a RAW.
public enum CameraPictureSize: Hashable, Sendable, CaseIterable {
    /// A thumbnail, if there is one; fast to read.
    case small
    /// The one with the most pixels.
    case large
}
