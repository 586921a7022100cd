package import Broker
internal import Clock
package import Jobs
package import Manifests

/// Progress of an operator's command in a cluster. The coordinator executes it and publishes directives in the status
/// topic; each worker reports up to which offset it follows them.
package struct CommandEffect {
    private let command: Int64
    /// Offset in the status topic at which the coordinator first reported the command as executed; nil before.
    private var carriedOut: Int64?
    private var cluster = ClusterStatus()
    /// By worker, its jobs when it was first seen to obey.
    private var inProgress: [String: Set<JobID>] = [:]
    private var now = WallClock.milliseconds

    package init(of command: Position) { self.command = command.offset }

    package mutating func update(_ cluster: ClusterStatus, now: Int64 = WallClock.milliseconds) {
        self.cluster = cluster
        self.now = now
        if carriedOut == nil, let status = cluster.coordinator, status.controlOffset > command {
            carriedOut = cluster.coordinatorOffset
        }
        for worker in cluster.workers where obeys(worker) && inProgress[worker.worker] == nil {
            inProgress[worker.worker] = Set(worker.currentJobs)
        }
    }

    package var isCarriedOut: Bool { carriedOut != nil }

    /// The coordinator that executes the command; nil if none has ever reported.
    package var coordinator: CoordinatorStatus? { cluster.coordinator }

    package func status(of batch: BatchID) -> BatchStatus? { cluster[batch] }

    /// Workers with a recent heartbeat.
    private var live: [WorkerStatus] { cluster.workers.filter { !isSilent($0) } }

    package var obeying: [WorkerStatus] { live.filter(obeys) }

    /// Live workers that do not obey yet.
    package var missing: [WorkerStatus] { live.filter { !obeys($0) } }

    /// Workers without a recent heartbeat that have not confirmed that they obey.
    package var silent: [WorkerStatus] { cluster.workers.filter { isSilent($0) && !obeys($0) } }

    /// Jobs in progress when their workers began to obey that are still in progress.
    package var unfinished: Int {
        cluster.workers.reduce(0) { count, worker in
            count + (inProgress[worker.worker]?.intersection(worker.currentJobs).count ?? 0)
        }
    }

    private func obeys(_ worker: WorkerStatus) -> Bool { carriedOut.map { worker.directivesOffset > $0 } ?? false }

    private func isSilent(_ worker: WorkerStatus) -> Bool {
        WallClock.elapsed(since: worker.atMilliseconds, now: now) > ClusterStatus.silentMilliseconds
    }
}
