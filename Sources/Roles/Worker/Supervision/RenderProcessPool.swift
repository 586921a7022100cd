internal import RenderHost

/// The render processes of one worker, one per slot. They can start before the worker exists: while the caller opens a
/// library, they load their program.
public final class RenderProcessPool: Sendable {
    let settings: WorkerSettings
    let slots: [RenderSlot]

    /// - Parameters:
    ///   - library: path of the library's folder.
    ///   - expectedJobs: how many jobs there will probably be; nil for any number. A process that no job needs would take the
    ///     processor from one that has a photo, so it does not start before there is a job for it.
    /// - Throws: `WorkerError.noThread`.
    public init(_ settings: WorkerSettings, library: String, expectedJobs: Int? = nil) throws(WorkerError) {
        let launch = RenderProcessLaunch(
            program: settings.program.path, library: library, inheritsStandardError: settings.inheritsStandardError,
            warmUpLimit: .seconds(60))
        var slots: [RenderSlot] = []
        let inAdvance = max(1, expectedJobs ?? settings.slots)
        for number in 0..<settings.slots {
            slots.append(try RenderSlot(number: number, launch: launch, isWarmInAdvance: number < inAdvance))
        }
        self.slots = slots
        self.settings = settings
    }

    /// Starts the processes that jobs are expected for, and does not wait for them. The worker tries again if one does not start, and learns why.
    public func load() {
        for slot in slots where slot.isWarmInAdvance { Task { try? await slot.load() } }
    }
}
