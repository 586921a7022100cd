internal import Broker
internal import Clock
internal import Concurrency
internal import Jobs
internal import Manifests
internal import Telemetry

/// What a worker has and what it does next: a value without a clock, a broker, or a process.
struct WorkerState: Sendable {
    /// What a free slot is to do.
    enum Next: Hashable {
        case start(JobDelivery)
        /// Until there is news; at the latest at this time of the worker's clock, in milliseconds.
        case wait(until: Int64?)
        case leave
    }

    /// How a render ended, for the state.
    enum Ending: Hashable {
        case completed([Rendition])
        case failed(Failure)
        /// Killed on request.
        case aborted
        /// Not begun: its batch was paused or cancelled since the record was sent.
        case outOfDate
    }

    /// What is to be made durable about a job.
    enum Settlement: Hashable {
        case end(Manifest.Outcome)
        case retry(failures: UInt32, delay: Duration, Failure)
        /// It is for another worker to try.
        case pass(delay: Duration, Failure)
        /// Nothing: it is tried again here, or by another worker.
        case keep
        /// Only that this record is done with: the coordinator sends another one, or none.
        case drop
    }

    enum Phase: Hashable { case working, draining, aborting }

    let rules: WorkerSettings
    private(set) var phase = Phase.working
    /// Why no jobs are taken: trouble before a wish.
    var pause: WorkerPause? { trouble ?? (isHeld ? .asked : nil) }
    /// Nobody wants jobs to be done now.
    private(set) var isHeld = false
    private var trouble: WorkerPause?
    /// How often there was trouble: each time the worker leaves its groups, be the trouble over by then or not, and what
    /// it had not begun comes again, to it or to others.
    private(set) var troubles = 0
    private var waiting: [JobQueueKind: [JobDelivery]] = [:]
    private(set) var running: [Int: JobDelivery] = [:]
    /// Renders that ended and of which nothing is durable yet.
    private var unsettled = 0
    private(set) var failuresInARow = 0
    /// Times that the storage failed since a job last ended well.
    private(set) var storageFailures = 0
    private(set) var completed: UInt64 = 0
    private(set) var failed: UInt64 = 0

    init(rules: WorkerSettings) { self.rules = rules }

    /// Delivered and not begun, in no order.
    var waitingTickets: [JobDelivery] { waiting.values.flatMap { $0 } }

    /// True while jobs may be begun.
    var pulls: Bool { phase == .working && pause == nil }
    /// True while it has to leave the jobs to other workers.
    var isInTrouble: Bool { trouble != nil }

    /// Deliveries that were taken and have not all arrived as tickets yet.
    private var coming = 0

    mutating func took(_ deliveries: Int) { coming += deliveries }
    mutating func received() { coming -= 1 }

    /// By slot, when its job began, in milliseconds of the worker's clock.
    private var began: [Int: Int64] = [:]
    /// How long the job took that ended last.
    private var lastMilliseconds: Int64?

    /// How many threads a job that starts now may use: its share of the slots, among those that run or could. So one
    /// photo gets all cores, and each of many gets one; and the last of many gets those of its neighbours that are about
    /// to end.
    func threadsOfOne(now: Int64) -> Int {
        let ready = waiting.values.joined().count { $0.notBefore <= now }
        let lasting = running.keys.count { !isAboutToEnd(slot: $0, now: now) }
        return max(1, rules.slots / max(1, lasting + ready + coming))
    }

    /// True where the slot's job has a quarter left at most, if it takes as long as the last one did.
    private func isAboutToEnd(slot: Int, now: Int64) -> Bool {
        guard let began = began[slot], let lastMilliseconds else { return false }
        return 4 * (now - began) >= 3 * lastMilliseconds && now > began
    }

    mutating func arrived(_ ticket: JobDelivery) {
        givenUp.remove(ticket.delivery.position)
        waiting[ticket.queue, default: []].append(ticket)
    }

    /// Begun, stopped by the storage, and never to be finished here: they come again when the group was left.
    private var givenUp: Set<Position> = []

    /// Lets go of what was not begun: the queue's group was left.
    mutating func left(_ queue: JobQueueKind) {
        waiting[queue] = nil
        givenUp = givenUp.filter { $0.partition.topic != queue.topic }
    }

    /// Lets go of what was not begun: the partitions are about to be another worker's.
    mutating func release(_ partitions: Set<TopicPartition>) -> Set<Position> {
        var released = givenUp.filter { partitions.contains($0.partition) }
        for (queue, tickets) in waiting {
            let leaving = tickets.filter { partitions.contains($0.delivery.position.partition) }
            released.formUnion(leaving.map(\.delivery.position))
            waiting[queue] = tickets.filter { !released.contains($0.delivery.position) }
        }
        return released
    }

    /// Interactive jobs first, then tries whose time has come, then bulk ones. Where the first is to run alone, what is in
    /// flight ends before it, and what is behind it begins after it; but nobody waits for a job that hangs.
    mutating func next(slot: Int, now: Int64) -> Next {
        if let start = began.removeValue(forKey: slot) { lastMilliseconds = max(0, now - start) }
        guard phase == .working else { return .leave }
        guard pause == nil, !running.values.contains(where: \.runsAlone) else { return .wait(until: nil) }
        let hanging = firstHang
        let passesBy = hanging.map { $0 <= now } ?? false
        for queue in JobQueueKind.allCases {
            guard let index = waiting[queue]?.firstIndex(where: { $0.notBefore <= now && !($0.runsAlone && passesBy) }),
                let ticket = waiting[queue]?[index]
            else { continue }
            if ticket.runsAlone, !isIdle { return .wait(until: hanging) }
            waiting[queue]?.remove(at: index)
            running[slot] = ticket
            began[slot] = now
            return .start(ticket)
        }
        return .wait(until: waiting.values.joined().map(\.notBefore).filter { $0 > now }.min())
    }

    /// When the first of the running jobs is taken for one that hangs: it has had a quarter of its time then.
    private var firstHang: Int64? {
        running.compactMap { slot, ticket in
            let time = rules.deadline(rawBytes: ticket.job.source.raw.sizeBytes) / 4
            return began[slot].map { $0 + time.wholeMilliseconds }
        }.min()
    }

    /// Nothing is in flight that would be done again if the worker died now.
    private var isIdle: Bool { running.isEmpty && unsettled == 0 }

    /// What became of a render is durable, or given up. Answers whether that leaves nothing in flight.
    mutating func settled() -> Bool {
        unsettled -= 1
        return isIdle
    }

    /// Says what becomes of the job that ran in the slot; `settled` follows.
    mutating func ended(slot: Int, _ ending: Ending) -> Settlement {
        unsettled += 1
        guard let ticket = running.removeValue(forKey: slot) else { return .keep }
        switch ending {
        case .aborted: return .keep
        case .outOfDate: return .drop
        case .completed(let renditions):
            failuresInARow = 0
            storageFailures = 0
            completed += 1
            return .end(.completed(renditions))
        case .failed(let failure): return settle(ticket, failure)
        }
    }

    private mutating func settle(_ ticket: JobDelivery, _ failure: Failure) -> Settlement {
        if failure.reason.verdict == .stop {
            givenUp.insert(ticket.delivery.position)
            lostStorage(failure)
            return .keep
        }
        if failure.reason == .newerWriter, rules.leavesNewerJobs { return pass(ticket.job.id, failure) }
        countFailure(failure)
        if failure.reason.verdict == .retry, ticket.failures < rules.retries {
            let failures = ticket.failures + 1
            return .retry(failures: failures, delay: rules.delay(failures: failures), failure)
        }
        failed += 1
        return .end(.failed(failure))
    }

    /// How often each job was left to newer workers.
    private var passes: [JobID: Int] = [:]
    private static let mostPassesKept = 4096

    /// A job that comes back again and again says nothing new of this worker, and must not pause it: no worker may be
    /// new enough for it. It waits longer each time, so that it is no burden either.
    private mutating func pass(_ job: JobID, _ failure: Failure) -> Settlement {
        if passes.count >= Self.mostPassesKept { passes.removeAll() }
        let count = (passes[job] ?? 0) + 1
        passes[job] = count
        if count == 1 { countFailure(failure) }
        return .pass(delay: rules.passDelay(passes: count), failure)
    }

    private mutating func countFailure(_ failure: Failure) {
        storageFailures = 0
        failuresInARow += 1
        if let breaker = rules.breaker, failuresInARow >= breaker, trouble == nil {
            meet(.failures(failuresInARow, last: failure))
        }
    }

    /// The storage cannot be used: by a job's account, or because no render process starts.
    mutating func lostStorage(_ failure: Failure) {
        if case .storage = trouble { return }
        storageFailures += 1
        meet(.storage(failure))
        if rules.withoutStorage == .end, phase == .working { phase = .draining }
    }

    private mutating func meet(_ trouble: WorkerPause) {
        self.trouble = trouble
        troubles += 1
    }

    /// Before the storage is tried again; longer when that helped only for a moment.
    var probeDelay: Duration { Self.probeBackoff.delay(afterFailures: storageFailures) }
    private static let probeBackoff = Backoff(initial: .seconds(1), max: .seconds(32))

    mutating func storageIsBack() {
        if case .storage = trouble { trouble = nil }
    }

    mutating func hold() { isHeld = true }

    /// Ends what `hold` began, and nothing else.
    mutating func release() { isHeld = false }

    /// Ends a pause that somebody asked for, or that followed failures.
    mutating func resume() {
        isHeld = false
        if case .storage = trouble { return }
        trouble = nil
        failuresInARow = 0
        passes = [:]
    }

    /// The first call lets what is in flight finish, the second does not.
    mutating func stop() { phase = phase == .working ? .draining : .aborting }

    /// The word for the status of the worker.
    var word: String {
        switch (phase, pause) {
        case (.draining, _), (.aborting, _): "leaving"
        case (_, .asked): "paused"
        case (_, .failures): "paused after failures"
        case (_, .storage): "waiting for storage"
        case (_, nil): "working"
        }
    }
}
