internal import Broker
internal import Processes

/// What a worker has in hand at one moment, for metrics.
public struct WorkerSnapshot: Hashable, Sendable {
    /// Jobs that can be rendered at once.
    public let slots: Int
    /// Jobs that are being rendered.
    public let running: Int
    /// Jobs that were delivered and wait for a slot, or until their next try is due.
    public let waiting: Int
    /// When the oldest of all these jobs was written to its topic, in milliseconds since 1970; nil if there is none.
    public let oldestMilliseconds: Int64?
    /// What the worker does, for people: the same text as in its status record.
    public let status: String
    /// The memory of its render processes.
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
    /// Each slot's process has so much of the machine's memory; 0 where there is no process.
    public let residentBySlot: [UInt64]
    /// A process that has more is ended.
    public let limit: UInt64
    /// What the worker and all of them may use together: the machine's memory, or what control groups allow.
    public let usable: UInt64

    init(_ residentBySlot: [UInt64], limit: UInt64) {
        self.residentBySlot = residentBySlot
        self.limit = limit
        usable = Machine.memoryBytes
    }
}
