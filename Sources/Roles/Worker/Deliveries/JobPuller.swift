internal import Clock
internal import Broker
internal import Jobs
internal import Records
internal import Telemetry

/// Polls one queue and passes its jobs to the state, while the worker works.
///
/// A worker with a requested pause stays in the group without polling. One with a fault leaves the group, so that its
/// partitions go to workers that can do the jobs.
struct JobPuller: Sendable {
    let context: WorkerContext
    let consumer: QueueConsumer
    let identity: StorageIdentity
    let attempts: AttemptTracker
    let publisher: ResultPublisher
    let prefetcher: SourcePrefetcher

    private var state: SharedWorkerState { context.state }

    private static let pollTime = Duration.seconds(60)

    func run() async throws {
        let loop = consumer.queue.topic
        defer { context.heartbeat.rest(loop) }
        try await finishCompleted()
        var (isPaused, hasLeft, faults) = (false, false, 0)
        while true {
            let signalCount = state.phaseSignal.signalCount
            context.heartbeat.beat(loop, extra: Self.pollTime)
            let current = state.withState { $0 }
            guard current.phase == .working else { return }
            if current.faults.isPauseRequested != isPaused {
                isPaused.toggle()
                await consumer.setPaused(isPaused)
            }
            if current.faults.count != faults {
                (hasLeft, faults) = (true, current.faults.count)
                await consumer.leaveGroup()
                state.change { $0.recordGroupLeft(consumer.queue) }
                continue
            }
            if hasLeft, !current.faults.hasFault {
                hasLeft = false
                await consumer.rejoinGroup()
            }
            do {
                let deliveries = try await state.phaseSignal.interrupting(after: signalCount) {
                    try await consumer.poll(wait: Self.pollTime)
                }
                _ = try await receive(deliveries)
            } catch BrokerError.unavailable(let reason) {
                context.log.warning(
                    .brokerUnavailable, [.topic: "\(consumer.queue.topic)", .message: "\(reason)"])
                await state.sleepWhileWorking(.seconds(1))
            }
        }
    }

    /// Finishes deliveries that lack only the commit, even if the worker should stop at once: otherwise a series of
    /// short runs would never get past them.
    private func finishCompleted() async throws {
        do {
            while try await receive(try await consumer.poll(wait: .milliseconds(1))) {}
        } catch BrokerError.unavailable {
            return
        }
    }

    /// Returns true if there are deliveries and all of them were already complete.
    private func receive(_ deliveries: [Delivery]) async throws -> Bool {
        var allComplete = !deliveries.isEmpty
        state.withState { $0.recordPolled(deliveries.count) }
        for delivery in deliveries {
            defer { state.withState { $0.recordDecoded() } }
            if try await !receive(delivery) { allComplete = false }
        }
        prefetcher.prefetch(state.withState { $0.nextSources(now: state.now) })
        return allComplete
    }

    /// Passes a job to the state, or finishes its delivery if there is nothing to do; returns true in the latter case.
    private func receive(_ delivery: Delivery) async throws -> Bool {
        let job: Job
        do throws(RecordError) {
            guard let value = delivery.record.value else { throw .malformed("it has no value") }
            guard delivery.record.leavesRoomForReply else { throw .malformed("it is too large for a reply") }
            job = try Job(record: value)
        } catch {
            try await refuse(delivery, error.failure)
            return true
        }
        // A record may be the first to name the expected library; check it before touching anything.
        if let library = delivery.record.text(of: JobHeader.library), identity.expectLibrary(library),
            let problem = identity.libraryProblem()
        {
            state.change { $0.recordStorageLoss(problem) }
        }
        let isUsable = state.withState { !$0.faults.isStorageLost }
        if isUsable, (try? attempts.isComplete(job, at: delivery.position)) == true {
            await consumer.finish(delivery.position, job)
            return true
        }
        // Starts that cannot be counted now are counted before the start.
        let probation = Probation(openStarts: isUsable ? (try? attempts.openStarts(of: job)) ?? 0 : 0)
        let jobDelivery = JobDelivery(
            brokerDelivery: delivery, queue: consumer.queue, job: job,
            failures: RetryHeader.number(RetryHeader.failures, of: delivery.record),
            notBefore: max(state.now + wait(before: delivery.record), probation.uptimeMilliseconds),
            epoch: RetryHeader.number(JobHeader.epoch, of: delivery.record),
            runsAlone: probation.runsAlone)
        state.change { $0.recordArrival(jobDelivery) }
        return false
    }

    /// Milliseconds until the record may start, bounded by the longest delay of any try, because its writer's clock or
    /// this machine's may be wrong.
    private func wait(before record: Record) -> Int64 {
        let now = WallClock.milliseconds
        let notBefore: Int64 = RetryHeader.number(RetryHeader.notBefore, of: record)
        return min(max(notBefore, now), now + context.settings.maxDelay.wholeMilliseconds) - now
    }

    private func refuse(_ delivery: Delivery, _ failure: Failure) async throws {
        context.log.error(
            .recordRefused,
            [
                .topic: "\(consumer.queue.topic)", .partition: .init(delivery.position.partition.partition),
                .offset: .init(delivery.position.offset), .message: "\(failure.message)",
            ])
        // Publishing may wait for the end of an outage.
        context.heartbeat.rest(consumer.queue.topic)
        try await publisher.park(delivery, failure, attempts: 0)
        context.observe(.refused(failure))
        await consumer.finish(delivery.position, nil)
    }
}
