internal import Broker
internal import Jobs
internal import Manifests
internal import Synchronization

/// What the coordinator's status topic has said that concerns a worker.
final class ClusterDirectives: Sendable {
    private struct State {
        /// Of batches that were paused or cancelled: records with a lower epoch are out of date.
        var epochs: [BatchID: UInt32] = [:]
        /// How often an operator resumed everything; nil before it is known.
        var resumes: UInt64?
        /// Where each partition of the topic ended when the worker started. An order to drain before that was for an
        /// earlier worker of the same name.
        var startOffsets: [Int32: Int64]?
        /// Offset in the topic, which has one partition, below which this worker does what every record says.
        var nextOffset: Int64 = 0
        /// How often a record changed what this worker does, or told of an operator's command.
        var changes: UInt64 = 0
        /// Up to where the coordinator had carried out commands.
        var controlOffset: Int64 = 0
    }

    private let state = Mutex(State())

    func isOutOfDate(_ delivery: JobDelivery) -> Bool {
        state.withLock { delivery.epoch < $0.epochs[delivery.job.batch] ?? 0 }
    }

    func record(_ status: BatchStatus) {
        guard status.epoch > 0 else { return }
        state.withLock { state in
            guard status.epoch > state.epochs[status.batch] ?? 0 else { return }
            state.epochs[status.batch] = status.epoch
            state.changes += 1
        }
    }

    /// - Returns: true if an operator resumed everything since the last status.
    func record(_ status: CoordinatorStatus) -> Bool {
        state.withLock { state in
            if status.controlOffset != state.controlOffset { state.changes += 1 }
            state.controlOffset = status.controlOffset
            defer { state.resumes = status.resumes }
            return state.resumes.map { status.resumes > $0 } ?? false
        }
    }

    /// Notes where the topic ended when the worker started. Later calls change nothing.
    func recordStart(at offsets: [Int32: Int64]) { state.withLock { $0.startOffsets = $0.startOffsets ?? offsets } }

    /// Notes that the worker does what the record says.
    func recordObeyed(_ position: Position) { state.withLock { $0.nextOffset = position.offset + 1 } }

    /// How far the worker obeys the topic, and a number that changes with each record that matters to operators.
    var progress: (nextOffset: Int64, changes: UInt64) { state.withLock { ($0.nextOffset, $0.changes) } }

    /// True if the record was written after the worker started.
    func isSinceStart(_ position: Position) -> Bool {
        state.withLock { position.offset >= $0.startOffsets?[position.partition.partition] ?? 0 }
    }
}
