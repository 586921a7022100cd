internal import Clock
internal import Broker
internal import Concurrency
internal import Jobs
internal import Manifests
internal import Records
internal import Telemetry

/// Publishes the worker's status in the workers topic: at intervals, and at once when the worker pauses, resumes, or is
/// about to leave.
struct HeartbeatPublisher: Sendable {
    let context: WorkerContext
    let producer: any Producer

    private var name: String { context.settings.name }

    /// Runs until the worker ends.
    func run() async {
        guard let interval = context.settings.heartbeatInterval else { return }
        while context.state.isWorking {
            let status = context.state.withState { WorkerStatus($0) }
            await send(status.encoded())
            await context.state.sleepWhileWorking(interval) { $0.statusText != status.state }
        }
        await send(context.state.withState { WorkerStatus($0) }.encoded())
    }

    /// Removes the status: the worker is gone.
    func sendTombstone() async {
        guard context.settings.heartbeatInterval != nil else { return }
        await send(nil)
    }

    /// A status that cannot be sent is soon followed by a newer one.
    private func send(_ value: [UInt8]?) async {
        let record = Record(key: Array(name.utf8), value: value)
        _ = try? await withTimeLimit(Self.sendTime) { [producer] in
            try await producer.send([record], to: Topics.workers)
        }
    }

    private static let sendTime = Duration.seconds(5)
}

extension WorkerStatus {
    fileprivate init(_ state: WorkerState) {
        self.init(
            worker: state.settings.name, atMilliseconds: WallClock.milliseconds, slots: UInt32(state.settings.slots),
            currentJobs: state.running.sorted { $0.key < $1.key }.map(\.value.job.id), completed: state.completed,
            failed: state.failed, state: state.statusText)
    }
}
