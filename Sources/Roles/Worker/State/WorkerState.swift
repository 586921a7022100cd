internal import Clock
internal import Broker
internal import Jobs
internal import Manifests
internal import Memory
internal import Telemetry

/// A worker's jobs and decisions: a value without a clock, a broker, or a process. Its owner performs the actions.
///
/// Times are milliseconds of the worker's own monotonic clock.
struct WorkerState: Sendable {
    enum Phase: Hashable { case working, draining, aborting }

    enum SlotAction: Hashable {
        case start(JobDelivery)
        /// Wait for a change, at most until this time; nil for no limit.
        case wait(until: Int64?)
        case exit
    }

    enum AttemptResult: Hashable {
        case completed(RenderedFrames)
        /// - Parameter maxRetries: maximum number of retries. The settings may allow fewer.
        case failed(Failure, maxRetries: UInt32 = .max)
        /// Its process was killed because the worker aborts.
        case aborted
        /// Not started: its batch was paused or cancelled after the record was sent.
        case outOfDate
    }

    /// What to make durable about a delivery whose render ended.
    enum Disposition: Hashable {
        case end(Manifest.Outcome)
        /// A retry, here or elsewhere, after a delay.
        case retry(failures: UInt32, delay: Duration, Failure)
        /// A try by another worker, after a delay.
        case pass(delay: Duration, Failure)
        /// Nothing: the delivery stays open and comes again.
        case keep
        /// The job again, immediately: another file took the photo's name, and only a new render can resolve that.
        case again
        /// Only the end of this delivery: the coordinator sends the job again, or cancelled it.
        case drop
    }

    let settings: WorkerSettings
    private(set) var phase = Phase.working

    /// Slots whose processes start with their first job.
    private(set) var coldSlots: Set<Int>

    init(settings: WorkerSettings, coldSlots: Set<Int> = []) {
        self.settings = settings
        self.coldSlots = coldSlots
    }

    // MARK: - Waiting deliveries

    private var waiting: [JobQueueKind: [JobDelivery]] = [:]
    /// Deliveries that were polled and are not decoded yet.
    private var undecoded = 0
    /// Started, interrupted by a storage fault, and not finished here: they come again after the worker left its group.
    private var abandoned: Set<Position> = []

    /// Delivered and not started, unordered.
    var waitingDeliveries: [JobDelivery] { waiting.values.flatMap { $0 } }

    mutating func recordPolled(_ deliveries: Int) { undecoded += deliveries }
    mutating func recordDecoded() { undecoded -= 1 }

    mutating func recordArrival(_ delivery: JobDelivery) {
        abandoned.remove(delivery.position)
        waiting[delivery.queue, default: []].append(delivery)
    }

    /// Drops unstarted deliveries after the worker left the queue's group.
    mutating func recordGroupLeft(_ queue: JobQueueKind) {
        waiting[queue] = nil
        abandoned = abandoned.filter { $0.partition.topic != queue.topic }
    }

    /// Drops unstarted deliveries whose partitions are about to go to another worker, and returns them.
    mutating func releaseUnstarted(of partitions: Set<TopicPartition>) -> Set<Position> {
        var released = abandoned.filter { partitions.contains($0.partition) }
        for (queue, deliveries) in waiting {
            let leaving = deliveries.filter { partitions.contains($0.position.partition) }
            released.formUnion(leaving.map(\.position))
            waiting[queue] = deliveries.filter { !released.contains($0.position) }
        }
        return released
    }

    // MARK: - Running jobs

    private(set) var running: [Int: JobDelivery] = [:]
    /// RAW of each slot's last job, which its render process may still have decoded.
    private var lastSources: [Int: FileStamp] = [:]
    private var startTimes: [Int: Int64] = [:]
    private var lastDurationMilliseconds: Int64?
    /// Ended renders whose dispositions are not durable yet.
    private var openCompletions = 0
    private(set) var completed: UInt64 = 0
    private(set) var failed: UInt64 = 0

    /// Whether nothing is in flight that would be repeated if the worker died now.
    private var isIdle: Bool { running.isEmpty && openCompletions == 0 }

    /// Decides what a free slot does: interactive jobs first, then due retries, then bulk jobs.
    ///
    /// A job that runs alone starts when all earlier jobs have ended, and later jobs wait for its end. It does not wait
    /// for a job that seems to hang.
    mutating func nextAction(slot: Int, now: Int64) -> SlotAction {
        if let start = startTimes.removeValue(forKey: slot) { lastDurationMilliseconds = max(0, now - start) }
        guard phase == .working else { return .exit }
        guard faults.pause == nil, !running.values.contains(where: \.runsAlone) else { return .wait(until: nil) }
        if coldSlots.contains(slot), leavesJobsToWarmSlots(now: now) { return .wait(until: nextDue(after: now)) }
        let hangTime = earliestSuspectedHang
        let hasHang = hangTime.map { $0 <= now } ?? false
        for queue in JobQueueKind.allCases {
            let deliveries = waiting[queue] ?? []
            let ready = deliveries.indices.filter {
                deliveries[$0].notBefore <= now && !(deliveries[$0].runsAlone && hasHang)
            }
            guard let index = choice(of: ready, among: deliveries, for: slot) else { continue }
            let delivery = deliveries[index]
            if delivery.runsAlone, !isIdle { return .wait(until: hangTime) }
            waiting[queue]?.remove(at: index)
            running[slot] = delivery
            lastSources[slot] = delivery.job.source.raw
            startTimes[slot] = now
            coldSlots.remove(slot)
            return .start(delivery)
        }
        return .wait(until: nextDue(after: now))
    }

    /// Sources of the jobs that free slots would start next, two per slot: a remote server may take longer for one than
    /// a render does.
    func nextSources(now: Int64) -> [Source] {
        JobQueueKind.allCases.flatMap { waiting[$0] ?? [] }.lazy.filter { $0.notBefore <= now }
            .prefix(2 * settings.slots).map(\.job.source)
    }

    private func nextDue(after now: Int64) -> Int64? {
        waiting.values.joined().map(\.notBefore).filter { $0 > now }.min()
    }

    /// Whether slots with warm or warming processes are free for all ready jobs.
    private func leavesJobsToWarmSlots(now: Int64) -> Bool {
        let ready = waiting.values.joined().count { $0.notBefore <= now }
        return ready <= settings.slots - coldSlots.count - running.count
    }

    /// The first ready delivery. Among those before one that runs alone, the slot prefers its last RAW, and leaves
    /// another slot's RAW to that slot, which need not decode it again for its next look. No slot idles for that.
    private func choice(of ready: [Int], among deliveries: [JobDelivery], for slot: Int) -> Int? {
        guard let first = ready.first, !deliveries[first].runsAlone else { return ready.first }
        let free = ready.prefix { !deliveries[$0].runsAlone }
        func source(_ index: Int) -> FileStamp { deliveries[index].job.source.raw }
        if let last = lastSources[slot], let own = free.first(where: { source($0) == last }) { return own }
        let busy = Set(running.values.map(\.job.source.raw))
        return free.first { !busy.contains(source($0)) } ?? first
    }

    /// When the first running job will be suspected of hanging: after a quarter of its deadline.
    private var earliestSuspectedHang: Int64? {
        running.compactMap { slot, delivery in
            let time = settings.deadline(rawBytes: delivery.job.source.raw.sizeBytes) / 4
            return startTimes[slot].map { $0 + time.wholeMilliseconds }
        }.min()
    }

    /// Number of threads for a job that starts now: an equal share of the slots among running and ready jobs. A single
    /// photo gets all cores, and each of many gets one. The last of many also gets the cores of jobs that are about to
    /// end.
    func threadsPerJob(now: Int64) -> Int {
        let ready = waiting.values.joined().count { $0.notBefore <= now }
        let lasting = running.keys.count { !isAboutToEnd(slot: $0, now: now) }
        return max(1, settings.slots / max(1, lasting + ready + undecoded))
    }

    /// Whether the slot's job has at most a quarter of its time left, if it takes as long as the last one.
    private func isAboutToEnd(slot: Int, now: Int64) -> Bool {
        guard let start = startTimes[slot], let lastDurationMilliseconds else { return false }
        return 4 * (now - start) >= 3 * lastDurationMilliseconds && now > start
    }

    /// Decides what to make durable about the slot's job. ``recordCompletion()`` follows.
    mutating func recordRenderEnd(slot: Int, _ result: AttemptResult) -> Disposition {
        openCompletions += 1
        guard let delivery = running.removeValue(forKey: slot) else { return .keep }
        switch result {
        case .aborted: return .keep
        case .outOfDate: return .drop
        case .completed(let renditions):
            faults.recordSuccess()
            completed += 1
            return .end(.completed(renditions))
        case .failed(let failure, let maxRetries):
            return disposition(of: delivery, after: failure, min(maxRetries, settings.maxRetries))
        }
    }

    private mutating func disposition(
        of delivery: JobDelivery, after failure: Failure, _ maxRetries: UInt32
    ) -> Disposition {
        if failure.reason.verdict == .stop {
            abandoned.insert(delivery.position)
            recordStorageLoss(failure)
            return .keep
        }
        if failure.reason == .newerWriter, settings.passesNewerJobs { return pass(delivery.job.id, failure) }
        countFailure(failure)
        let mayPass =
            failure.reason.verdict == .retry || failure.reason.mayPassElsewhere && settings.passesNewerJobs
        if mayPass, delivery.failures < maxRetries {
            let failures = delivery.failures + 1
            return .retry(failures: failures, delay: settings.delay(failures: failures), failure)
        }
        failed += 1
        return .end(.failed(failure))
    }

    /// Decides what to make durable about a rendered job whose files cannot be named. The failure is nil if another
    /// file has the photo's name.
    mutating func recordUnpublished(_ delivery: JobDelivery, _ failure: Failure?) -> Disposition {
        completed -= 1
        guard let failure else { return .again }
        return disposition(of: delivery, after: failure, settings.maxRetries)
    }

    /// Records that a job's disposition is durable, or could not be made so. Returns true if nothing is in flight any
    /// more.
    mutating func recordCompletion() -> Bool {
        openCompletions -= 1
        return isIdle
    }

    // MARK: - Jobs that need a newer worker

    /// How often each job was passed to other workers.
    private var passes = BoundedCache<JobID, Int>(maxCount: 4096)

    /// A job that keeps coming back must not pause this worker: perhaps no worker is new enough. Its delay grows, to
    /// limit the load.
    private mutating func pass(_ job: JobID, _ failure: Failure) -> Disposition {
        let count = (passes[job] ?? 0) + 1
        passes[job] = count
        if count == 1 { countFailure(failure) }
        return .pass(delay: settings.passDelay(passes: count), failure)
    }

    // MARK: - Pauses and faults

    private(set) var faults = WorkerFaults()

    var mayStartJobs: Bool { phase == .working && faults.pause == nil }

    private mutating func countFailure(_ failure: Failure) {
        faults.countFailure(failure, threshold: settings.breakerThreshold)
    }

    /// A job could not use the storage, or no render process starts.
    mutating func recordStorageLoss(_ failure: Failure) {
        if faults.recordStorageLoss(failure), settings.onStorageLoss == .end { drain() }
    }

    mutating func recordStorageRecovery() { faults.recordStorageRecovery() }

    mutating func requestPause() { faults.isPauseRequested = true }

    /// Ends only a requested pause.
    mutating func withdrawPauseRequest() { faults.isPauseRequested = false }

    /// Ends a requested pause, and a fault of failures in a row.
    mutating func resume() { if faults.resume() { passes.removeAll() } }

    // MARK: - The end

    /// Lets jobs in flight finish. Does nothing if the worker is already ending.
    mutating func drain() { if phase == .working { phase = .draining } }

    /// The first call drains, the second aborts jobs in flight.
    mutating func stop() { phase = phase == .working ? .draining : .aborting }

    var statusText: String {
        switch (phase, faults.pause) {
        case (.draining, _), (.aborting, _): "leaving"
        case (_, .requested): "paused"
        case (_, .failures): "paused after failures"
        case (_, .storage): "waiting for storage"
        case (_, nil): "working"
        }
    }
}
