internal import Broker
internal import Storage
internal import Telemetry

/// Checks the storage while it is lost, and ends the fault when it is back.
struct StorageMonitor: Sendable {
    let context: WorkerContext
    let library: String
    let identity: StorageIdentity
    let attempts: AttemptTracker
    let naming: RenditionNaming
    let slots: [RenderSlot]

    /// A disk with less free space counts as full.
    private static let probeBytes: UInt64 = 64 << 20

    func run() async {
        let state = context.state
        while state.isWorking {
            let signalCount = state.phaseSignal.signalCount
            guard case .storage = state.withState({ $0.faults.pause }) else {
                await state.phaseSignal.wait(after: signalCount, limit: nil)
                continue
            }
            await state.sleepWhileWorking(state.withState { $0.faults.probeDelay })
            guard let root = await reopened() else { continue }
            attempts.reopen(root)
            naming.reopen(root)
            identity.opened(root)
            // The render processes may hold folders of a lost mount.
            for slot in slots { await slot.retire() }
            state.change { $0.recordStorageRecovery() }
        }
    }

    /// The library's folder, opened again; nil if it cannot be written, or a folder is the wrong one.
    private func reopened() async -> Root? {
        await slots[0].blocking { () -> Root? in
            // Never write to a folder that is not the library.
            guard identity.problem() == nil else { return nil }
            guard let root = try? Root(path: library) else { return nil }
            let probe: Void? = try? root.probeWriting(bytes: Self.probeBytes)
            return probe.map { root }
        }
    }
}
