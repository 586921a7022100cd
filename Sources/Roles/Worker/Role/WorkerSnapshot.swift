internal import Broker

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

    init(_ state: WorkerState) {
        let waiting = state.waitingDeliveries
        slots = state.settings.slots
        running = state.running.count
        self.waiting = waiting.count
        oldestMilliseconds = (waiting + state.running.values).map(\.brokerDelivery.timestampMilliseconds).min()
        status = state.statusText
    }
}
