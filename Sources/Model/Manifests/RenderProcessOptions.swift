public import Jobs

/// The options of a render process, in the first message from its worker.
public struct RenderProcessOptions: Hashable, Sendable {
    /// The resident memory beyond which the worker kills the process, in bytes. 1 or more.
    public var memoryLimitBytes: UInt64
    /// Threads per render, unless the request sets another number. 1 or more.
    public var threads: Int
    /// The largest sensor in pixels, margins included. 1 or more.
    public var maxPixels: Int
    /// The largest file in bytes. 1 or more.
    public var maxFileBytes: Int
    /// The decoder's largest allocation for samples in bytes. 1 or more.
    public var maxSampleBytes: Int
    /// Whether to render nothing: every photo is a tiny grey picture.
    public var isNullRenderer: Bool
    /// Whether to reuse photos of the library instead of developing them again.
    public var reusesPhotos: Bool
    /// The look that the first job probably needs. The process warms up for it.
    public var expectedLook: LookReference?

    /// Memberwise initializer. A render process refuses limits below 1.
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
