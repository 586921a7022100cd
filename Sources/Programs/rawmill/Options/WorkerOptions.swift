import Arguments
import CommandLineTool
import RenderJobs
import Worker

enum WorkerOptions {
    private static let group = "The run"

    static let jobs: Parameter<Int?> = .optional(
        "jobs", short: "j", "N", must: .within(1...1024), group: group,
        help: "Photos to render at the same time. (default: one per core, as far as memory allows)")
    static let memoryLimit: Parameter<ByteCountArgument?> = .optional(
        "memory-limit", "SIZE", must: Rule("a size of 256M or more") { $0.bytes >= 256_000_000 }, group: group,
        help: """
            Memory limit of one render: 2G, 1500M. (default: an equal share of three quarters of the memory)
            """)
    static let deadline: Parameter<Double> = .option(
        "deadline", "SECONDS", default: 120, must: .within(1...86_400), group: group,
        help: "Time limit of one render; large RAWs get more.")
    static let maxMegapixels: Parameter<Double> = .option(
        "max-megapixels", "M", default: 300, must: .within(0.1...2000), group: group,
        help: "Refuse pictures larger than this.")

    static let all: [any AnyParameter] = [jobs, memoryLimit, deadline, maxMegapixels]

    /// - Parameter hasLibrary: false to develop every photo, because no library knows the photos' bytes.
    static func settings(_ values: ArgumentValues, hasLibrary: Bool = true) -> WorkerSettings {
        var render = RenderSettings()
        render.reusesPhotos = hasLibrary
        render.maxPixels = Int(values[maxMegapixels] * 1_000_000)
        var settings = WorkerSettings(slots: values[jobs] ?? WorkerSettings.defaultSlots, render: render)
        if let limit = values[memoryLimit] { settings.memoryLimitBytes = limit.bytes }
        settings.deadline = .seconds(values[deadline])
        // A folder may contain any number of files that are not RAWs, which is not a fault of this worker.
        settings.breakerThreshold = nil
        settings.onStorageLoss = .end
        settings.heartbeatInterval = nil
        return settings
    }
}
