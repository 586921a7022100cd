internal import Broker
internal import Jobs
internal import Manifests
internal import Synchronization

/// The directives for a worker in the coordinator's status topic.
final class ClusterDirectives: Sendable {
    private struct State {
        /// Epochs of paused or cancelled batches: records with a lower epoch are out of date.
        var epochs: [BatchID: UInt32] = [:]
        /// How often an operator resumed everything; nil if unknown.
        var resumes: UInt64?
        /// End of each partition when the worker started. An earlier order to drain was for a former worker of the same
        /// name.
        var startOffsets: [Int32: Int64]?
        /// Offset in the topic, which has one partition, up to which this worker obeys all records.
        var nextOffset: Int64 = 0
        /// Number of records that changed this worker's behaviour or reported an operator's command.
        var changes: UInt64 = 0
        /// Offset up to which the coordinator has executed commands.
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

    /// Returns true if an operator resumed everything since the last status.
    func record(_ status: CoordinatorStatus) -> Bool {
        state.withLock { state in
            if status.controlOffset != state.controlOffset { state.changes += 1 }
            state.controlOffset = status.controlOffset
            defer { state.resumes = status.resumes }
            return state.resumes.map { status.resumes > $0 } ?? false
        }
    }

    /// Stores the topic's end when the worker started. Later calls change nothing.
    func recordStart(at offsets: [Int32: Int64]) { state.withLock { $0.startOffsets = $0.startOffsets ?? offsets } }

    func recordObeyed(_ position: Position) { state.withLock { $0.nextOffset = position.offset + 1 } }

    /// How far the worker obeys the topic, and a number that changes with each record that matters to operators.
    var progress: (nextOffset: Int64, changes: UInt64) { state.withLock { ($0.nextOffset, $0.changes) } }

    func isSinceStart(_ position: Position) -> Bool {
        state.withLock { position.offset >= $0.startOffsets?[position.partition.partition] ?? 0 }
    }
}
