/// The render processes of a worker. They can be there before the worker is: while its caller opens a library, they load
/// their program.
public final class RenderCrew: Sendable {
    let settings: WorkerSettings
    let slots: [RenderSlot]

    /// - Parameter library: its folder.
    public init(_ settings: WorkerSettings, library: String) throws(WorkerError) {
        let start = SlotStart(
            program: settings.program.path, library: library, keepsErrors: settings.keepsRenderErrors,
            patience: .seconds(60))
        var slots: [RenderSlot] = []
        for number in 0..<settings.slots { slots.append(try RenderSlot(number: number, start: start)) }
        self.slots = slots
        self.settings = settings
    }

    /// Has the processes start. Why one does not, the worker finds out when it tries again.
    public func load() {
        for slot in slots { Task { await slot.load() } }
    }
}
