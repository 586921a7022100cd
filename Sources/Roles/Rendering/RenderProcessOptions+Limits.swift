internal import Manifests
internal import RenderJobs

extension RenderProcessOptions {
    var renderSettings: RenderSettings {
        var settings = RenderSettings(
            pixels: maxPixels, fileBytes: maxFileBytes, sampleBytes: maxSampleBytes, threads: threads)
        settings.isNull = isNullRenderer
        settings.reusesPhotos = reusesPhotos
        return settings.within(memoryBytes: memoryLimitBytes)
    }

    /// Twice the memory limit plus 1 GiB: address space includes reservations, such as the program itself and the
    /// encoder's worst-case buffer. The worker watches resident memory from outside.
    var addressSpaceBytes: UInt64 {
        let (sum, overflow) = memoryLimitBytes.multipliedReportingOverflow(by: 2)
        return overflow ? .max : sum.addingReportingOverflow(1 << 30).partialValue
    }
}
