/// The render processes of one worker, one per slot. They can start before the worker exists: while the caller opens a
/// library, they load their program.
public final class RenderProcessPool: Sendable {
    let settings: WorkerSettings
    let slots: [RenderSlot]

    /// - Parameter library: path of the library's folder.
    /// - Throws: `WorkerError.noThread`.
    public init(_ settings: WorkerSettings, library: String) throws(WorkerError) {
        let launch = RenderProcessLaunch(
            program: settings.program.path, library: library, inheritsStandardError: settings.inheritsStandardError,
            warmUpLimit: .seconds(60))
        var slots: [RenderSlot] = []
        for number in 0..<settings.slots { slots.append(try RenderSlot(number: number, launch: launch)) }
        self.slots = slots
        self.settings = settings
    }

    /// Starts the processes, and does not wait for them. The worker tries again if one does not start, and learns why.
    public func load() {
        for slot in slots { Task { try? await slot.load() } }
    }
}
