internal import Broker
internal import Processes

/// A worker's current jobs and memory, for metrics.
public struct WorkerSnapshot: Hashable, Sendable {
    /// Number of jobs that can be rendered at the same time.
    public let slots: Int
    /// Jobs being rendered.
    public let running: Int
    /// Delivered jobs that wait for a slot or for their next try.
    public let waiting: Int
    /// When the oldest of all these jobs was written to its topic, in milliseconds since 1970; nil if there is none.
    public let oldestMilliseconds: Int64?
    /// The worker's state as text, as in its status record.
    public let status: String
    /// Memory of its render processes.
    public let memory: RenderMemory

    init(_ state: WorkerState, _ memory: RenderMemory) {
        self.memory = memory
        let waiting = state.waitingDeliveries
        slots = state.settings.slots
        running = state.running.count
        self.waiting = waiting.count
        oldestMilliseconds = (waiting + state.running.values).map(\.brokerDelivery.timestampMilliseconds).min()
        status = state.statusText
    }
}

/// Memory of a worker's render processes at one moment, in bytes.
public struct RenderMemory: Hashable, Sendable {
    /// Resident set of each slot's process; 0 if there is no process.
    public let residentBySlot: [UInt64]
    /// Memory above which a process is killed.
    public let limit: UInt64
    /// Memory available to the worker and all its processes together: the machine's memory, or the limit of control
    /// groups.
    public let usable: UInt64

    init(_ residentBySlot: [UInt64], limit: UInt64) {
        self.residentBySlot = residentBySlot
        self.limit = limit
        usable = Machine.memoryBytes
    }
}
