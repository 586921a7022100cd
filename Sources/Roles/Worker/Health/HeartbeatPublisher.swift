internal import Clock
internal import Broker
internal import Concurrency
internal import Jobs
internal import Manifests
internal import Processes
internal import Records
internal import Telemetry

/// Publishes the worker's status in the workers topic: at intervals, and immediately when the worker pauses, resumes,
/// has obeyed an operator's command, or is about to leave.
struct HeartbeatPublisher: Sendable {
    let context: WorkerContext
    let producer: any Producer
    let directives: ClusterDirectives
    let slots: [RenderSlot]

    private static let loop = "status"

    private var name: String { context.settings.name }

    func run() async {
        guard let interval = context.settings.heartbeatInterval else { return }
        defer { context.heartbeat.rest(Self.loop) }
        while context.state.isWorking {
            context.heartbeat.beat(Self.loop, extra: interval)
            let changes = directives.progress.changes
            let status = status
            await send(status.encoded())
            await context.state.sleepWhileWorking(interval) { [directives] state in
                state.statusText != status.state || directives.progress.changes != changes
            }
        }
        await send(status.encoded())
    }

    /// Reads the offset before the state, so that the state reflects every record below it.
    private var status: WorkerStatus {
        let offset = directives.progress.nextOffset
        let memory = slots.reduce(CurrentProcess.residentBytes) { $0 + ($1.residentBytes ?? 0) }
        return context.state.withState { WorkerStatus($0, directivesOffset: offset, memoryBytes: memory) }
    }

    func sendTombstone() async {
        guard context.settings.heartbeatInterval != nil else { return }
        await send(nil)
    }

    /// A status that cannot be sent is soon replaced by a newer one.
    private func send(_ value: [UInt8]?) async {
        let record = Record(key: Array(name.utf8), value: value)
        _ = try? await withTimeLimit(Self.sendTime) { [producer] in
            try await producer.send([record], to: Topics.workers)
        }
    }

    private static let sendTime = Duration.seconds(5)
}

extension WorkerStatus {
    fileprivate init(_ state: WorkerState, directivesOffset: Int64, memoryBytes: UInt64) {
        let jobs = state.running.sorted { $0.key < $1.key }.map(\.value.job)
        self.init(
            worker: state.settings.name, atMilliseconds: WallClock.milliseconds, slots: UInt32(state.settings.slots),
            currentJobs: jobs.map(\.id), completed: state.completed,
            failed: state.failed, state: state.statusText, directivesOffset: directivesOffset,
            node: WorkerSettings.hostName, memoryBytes: memoryBytes,
            currentFiles: jobs.map { Self.shortened("\($0.source.raw.file)") })
    }

    /// The end of a long path says more than its beginning.
    private static func shortened(_ path: String) -> String {
        path.utf8.count <= maxPathBytes ? path : "…" + String(decoding: path.utf8.suffix(maxPathBytes), as: UTF8.self)
    }

    private static let maxPathBytes = 200
}
