package import Broker
internal import Clock
package import Jobs
package import Manifests

/// What has become of an operator's command in a cluster: a coordinator carries it out and says so in the status topic,
/// and each worker says how far it does what that topic says.
package struct CommandEffect {
    /// The command's offset in the control topic.
    private let command: Int64
    /// Where the status topic first said that the command was carried out; nil before that.
    private var carriedOut: Int64?
    private var cluster = ClusterStatus()
    /// What each worker was rendering when it was first seen to obey.
    private var inProgress: [String: Set<JobID>] = [:]
    private var now = WallClock.milliseconds

    package init(of command: Position) { self.command = command.offset }

    /// Takes the cluster's state, as it is read again and again.
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

    /// The coordinator that is to carry it out, if one was ever heard.
    package var coordinator: CoordinatorStatus? { cluster.coordinator }

    /// The state of a batch, if one was published.
    package func status(of batch: BatchID) -> BatchStatus? { cluster[batch] }

    /// The workers that were heard lately.
    private var live: [WorkerStatus] { cluster.workers.filter { !isSilent($0) } }

    /// Those that obey.
    package var obeying: [WorkerStatus] { live.filter(obeys) }

    /// Those that do not obey yet, and may still do otherwise.
    package var missing: [WorkerStatus] { live.filter { !obeys($0) } }

    /// Those that were not heard lately, and have not said that they obey.
    package var silent: [WorkerStatus] { cluster.workers.filter { isSilent($0) && !obeys($0) } }

    /// Jobs that were being rendered when their workers began to obey, and still are.
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
