internal import Broker
internal import Synchronization

/// What a worker has in hand at one moment, for metrics.
public struct WorkerSnapshot: Hashable, Sendable {
    public let slots: Int
    /// Jobs that are rendered now.
    public let running: Int
    /// Jobs that were delivered and wait for a slot, or for the time of their next try.
    public let waiting: Int
    /// When the oldest of all these was written to its topic, in milliseconds since 1970; nil without any.
    public let oldestMilliseconds: Int64?
    /// What the worker is doing, as a word for people.
    public let word: String
}

extension RenderWorker {
    public var standing: WorkerSnapshot {
        state.withLock { state in
            let waiting = state.waitingTickets
            let oldest = (waiting + state.running.values).map(\.delivery.timestampMilliseconds).min()
            return WorkerSnapshot(
                slots: slots.count, running: state.running.count, waiting: waiting.count, oldestMilliseconds: oldest,
                word: state.word)
        }
    }
}
