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
        var startOffsets: [Int32: Int64] = [:]
    }

    private let state = Mutex(State())

    func isOutOfDate(_ delivery: JobDelivery) -> Bool {
        state.withLock { delivery.epoch < $0.epochs[delivery.job.batch] ?? 0 }
    }

    func record(_ status: BatchStatus) {
        guard status.epoch > 0 else { return }
        state.withLock { $0.epochs[status.batch] = max(status.epoch, $0.epochs[status.batch] ?? 0) }
    }

    /// - Returns: true if an operator resumed everything since the last status.
    func record(_ status: CoordinatorStatus) -> Bool {
        state.withLock { state in
            defer { state.resumes = status.resumes }
            return state.resumes.map { status.resumes > $0 } ?? false
        }
    }

    func recordStart(at offsets: [Int32: Int64]) { state.withLock { $0.startOffsets = offsets } }

    /// True if the record was written after the worker started.
    func isSinceStart(_ position: Position) -> Bool {
        state.withLock { position.offset >= $0.startOffsets[position.partition.partition] ?? 0 }
    }
}
