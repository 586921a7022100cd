internal import Broker
internal import Jobs
internal import Manifests
internal import Synchronization

/// What the coordinator's status topic says that concerns a worker.
final class ClusterDirectives: Sendable {
    private struct State {
        /// Of batches that were paused or cancelled: records with a lower epoch are out of date.
        var epochs: [BatchID: UInt32] = [:]
        /// How often an operator had everything go on; nil before it is known.
        var resumes: UInt64?
        /// By partition, where the topic ended when the worker began: a drain before that was meant for its forerunner.
        var ends: [Int32: Int64] = [:]
    }

    private let state = Mutex(State())

    func isOutOfDate(_ ticket: JobDelivery) -> Bool {
        state.withLock { ticket.epoch < $0.epochs[ticket.job.batch] ?? 0 }
    }

    func take(_ status: BatchStatus) {
        guard status.epoch > 0 else { return }
        state.withLock { $0.epochs[status.batch] = max(status.epoch, $0.epochs[status.batch] ?? 0) }
    }

    /// Answers whether everything was told to go on since the last status.
    func take(_ status: CoordinatorStatus) -> Bool {
        state.withLock { state in
            defer { state.resumes = status.resumes }
            return state.resumes.map { status.resumes > $0 } ?? false
        }
    }

    func begins(at ends: [Int32: Int64]) { state.withLock { $0.ends = ends } }

    func isNews(_ position: Position) -> Bool {
        state.withLock { position.offset >= $0.ends[position.partition.partition] ?? 0 }
    }
}
