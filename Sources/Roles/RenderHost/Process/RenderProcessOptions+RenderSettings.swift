public import Jobs
public import Manifests
public import RenderJobs

extension RenderProcessOptions {
    /// - Parameter expectedLook: the look that the first job will probably need.
    public init(settings: RenderSettings, memoryLimitBytes: UInt64, expectedLook: LookReference? = nil) {
        self.init(
            memoryLimitBytes: memoryLimitBytes, threads: settings.threads, maxPixels: settings.pixels,
            maxFileBytes: settings.fileBytes, maxSampleBytes: settings.sampleBytes, isNullRenderer: settings.isNull,
            reusesPhotos: settings.reusesPhotos, expectedLook: expectedLook)
    }
}
