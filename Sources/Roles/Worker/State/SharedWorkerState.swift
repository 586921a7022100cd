internal import Clock
internal import Broker
internal import Synchronization
internal import Telemetry

/// A worker's state and the signals of its changes, shared by all its parts.
final class SharedWorkerState: Sendable {
    private let state: Mutex<WorkerState>
    private let onPauseChange: @Sendable (WorkerPause?) -> Void
    /// Monotonic, because the time of day can be set.
    private let clock = Stopwatch()

    let slotSignal = WakeSignal()
    /// Signals a pause, its end, or the end of the worker. These are rare, so it may wake many tasks.
    let phaseSignal = WakeSignal()
    /// Signals finished deliveries, or the end of the worker.
    let commitSignal = WakeSignal()

    /// - Parameters:
    ///   - coldSlots: slots whose processes start with their first job.
    ///   - onPauseChange: called after each change of ``WorkerFaults/pause``, on the thread that made it.
    init(
        _ settings: WorkerSettings, coldSlots: Set<Int> = [],
        onPauseChange: @escaping @Sendable (WorkerPause?) -> Void
    ) {
        state = Mutex(WorkerState(settings: settings, coldSlots: coldSlots))
        self.onPauseChange = onPauseChange
    }

    var now: Int64 { clock.milliseconds }

    var isWorking: Bool { withState { $0.phase == .working } }
    var isAborting: Bool { withState { $0.phase == .aborting } }

    /// Reads the state, or changes it without a signal.
    func withState<Value>(_ body: (inout WorkerState) -> Value) -> Value { state.withLock { body(&$0) } }

    /// Changes the state and signals it.
    @discardableResult
    func change<Value>(_ body: (inout WorkerState) -> Value) -> Value {
        let (value, before, after) = state.withLock { state in
            let before = (pause: state.faults.pause, phase: state.phase)
            let value = body(&state)
            return (value, before, (pause: state.faults.pause, phase: state.phase))
        }
        if before.pause != after.pause { onPauseChange(after.pause) }
        if before.phase != after.phase { commitSignal.signal() }
        if before != after { phaseSignal.signal() }
        slotSignal.signal()
        return value
    }

    /// Sleeps until the time is over, the worker ends, or the condition holds after a change of pause or phase.
    func sleepWhileWorking(
        _ time: Duration, until condition: @Sendable (WorkerState) -> Bool = { _ in false }
    ) async {
        let end = ContinuousClock.now + time
        while withState({ $0.phase == .working && !condition($0) }), ContinuousClock.now < end {
            let signalCount = phaseSignal.signalCount
            await phaseSignal.wait(after: signalCount, limit: end - ContinuousClock.now)
        }
    }
}

struct WorkerContext: Sendable {
    let settings: WorkerSettings
    let state: SharedWorkerState
    let log: Logger
    /// Must not block.
    let observe: @Sendable (WorkerEvent) -> Void
    var heartbeat = Heartbeat()
}
