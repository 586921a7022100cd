internal import RenderHost

/// The render processes of one worker, one per slot. They can start before the worker: they load their program while
/// the caller opens a library.
public final class RenderProcessPool: Sendable {
    let settings: WorkerSettings
    let slots: [RenderSlot]

    /// - Parameter expectedJobs: probable number of jobs; nil for any number. An unneeded process would take the
    ///   processor from a busy one, so it only starts when there is a job for it.
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

    /// Starts the processes with expected jobs, without waiting for them. The worker retries failed starts and reports
    /// the reason.
    public func load() {
        for slot in slots where slot.isWarmInAdvance { Task { try? await slot.load() } }
    }
}
