public import Jobs

/// How a render process works: the first message it gets from its worker.
public struct RenderProcessOptions: Hashable, Sendable {
    /// The worker kills the process when its resident memory exceeds this, in bytes. 1 or more.
    public var memoryLimitBytes: UInt64
    /// Threads per render, unless the request says otherwise. 1 or more.
    public var threads: Int
    /// Largest sensor in pixels, margins included. 1 or more.
    public var maxPixels: Int
    /// Largest file. 1 or more.
    public var maxFileBytes: Int
    /// Largest allocation of the decoder for samples. 1 or more.
    public var maxSampleBytes: Int
    /// True renders nothing: every photo is a tiny grey picture.
    public var isNullRenderer: Bool
    /// False develops every photo, also one that the library has already.
    public var reusesPhotos: Bool
    /// The look that the first job will probably need: the process warms up for it.
    public var expectedLook: LookReference?

    /// All limits must be 1 or more: a render process refuses others.
    public init(
        memoryLimitBytes: UInt64, threads: Int, maxPixels: Int, maxFileBytes: Int,
        maxSampleBytes: Int, isNullRenderer: Bool = false, reusesPhotos: Bool = false,
        expectedLook: LookReference? = nil
    ) {
        self.memoryLimitBytes = memoryLimitBytes
        self.threads = threads
        self.maxPixels = maxPixels
        self.maxFileBytes = maxFileBytes
        self.maxSampleBytes = maxSampleBytes
        self.isNullRenderer = isNullRenderer
        self.reusesPhotos = reusesPhotos
        self.expectedLook = expectedLook
    }
}
