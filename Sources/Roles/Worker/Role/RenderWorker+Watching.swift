internal import Broker
internal import Clock
internal import Jobs
internal import Manifests
internal import Records
internal import Storage
internal import Synchronization
internal import Telemetry

extension RenderWorker {
    /// Tries the storage while it is gone; when it is back, so is the work.
    func watchStorage() async {
        while state.withLock({ $0.phase == .working }) {
            let rings = turnBell.rings
            guard case .storage = state.withLock({ $0.pause }) else {
                await turnBell.wait(beyond: rings, limit: nil)
                continue
            }
            await sleepWhileWorking(state.withLock { $0.probeDelay })
            guard let root = await reopened() else { continue }
            attemptFolder.withLock { $0 = AttemptFolder(library: root) }
            // The render processes' folders may be those of a mount that is gone.
            for slot in slots { await slot.retire() }
            change { $0.storageIsBack() }
        }
    }

    private static let probeBytes: UInt64 = 64 << 20

    private func reopened() async -> Root? {
        let path = attemptFolder.withLock { $0.library.path }
        return await slots[0].blocking { () -> Root? in
            guard let root = try? Root(path: path) else { return nil }
            let probe: Void? = try? root.probeWriting(bytes: Self.probeBytes)
            return probe.map { root }
        }
    }

    func sleepWhileWorking(
        _ time: Duration, until wakes: @Sendable (WorkerState) -> Bool = { _ in false }
    ) async {
        let end = ContinuousClock.now + time
        while state.withLock({ $0.phase == .working && !wakes($0) }), ContinuousClock.now < end {
            let rings = turnBell.rings
            await turnBell.wait(beyond: rings, limit: end - ContinuousClock.now)
        }
    }

    /// Says what the worker does: now and then, and at once when it pauses, goes on, or is about to leave.
    func beat(_ membership: Membership) async {
        guard let interval = settings.heartbeat else { return }
        while state.withLock({ $0.phase == .working }) {
            let word = await tellStatus(membership)
            await sleepWhileWorking(interval) { $0.word != word }
        }
        _ = await tellStatus(membership)
    }

    private func tellStatus(_ membership: Membership) async -> String {
        let status = state.withLock { self.status($0) }
        let record = Record(key: Array(settings.name.utf8), value: status.encoded())
        // A status that is not sent is soon followed by a newer one.
        _ = try? await membership.outbound.producer.send([record], to: Topics.workers)
        return status.state
    }

    private func status(_ state: WorkerState) -> WorkerStatus {
        WorkerStatus(
            worker: settings.name, atMilliseconds: WallClock.milliseconds, slots: UInt32(slots.count),
            currentJobs: state.running.sorted { $0.key < $1.key }.map(\.value.job.id), completed: state.completed,
            failed: state.failed, state: state.word)
    }
}
