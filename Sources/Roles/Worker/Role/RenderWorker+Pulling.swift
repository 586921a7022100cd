internal import Broker
internal import Clock
internal import Jobs
internal import Records
internal import Synchronization
internal import Telemetry

extension RenderWorker {
    /// Takes deliveries of one queue while the worker works. One that is told to wait stays a member and takes none; one
    /// that cannot work leaves the group, so that its partitions are not kept from those that can.
    func pull(_ queue: JobQueueKind, _ membership: Membership) async throws {
        guard let consumer = membership.consumers[queue] else { return }
        try await finishEnded(queue, consumer, membership)
        var (isPaused, hasLeft, troubles) = (false, false, 0)
        while true {
            let rings = turnBell.rings
            let state = state.withLock { $0 }
            guard state.phase == .working else { return }
            if state.isHeld != isPaused {
                isPaused.toggle()
                let turn = isPaused ? consumer.pause(topic:) : consumer.resume(topic:)
                await turn(queue.topic)
            }
            if state.troubles != troubles {
                (hasLeft, troubles) = (true, state.troubles)
                await consumer.leave()
                change { $0.left(queue) }
                continue
            }
            if hasLeft, !state.isInTrouble {
                hasLeft = false
                await consumer.rejoin()
            }
            do {
                let deliveries = try await turnBell.interrupting(beyond: rings) {
                    try await self.poll(queue, consumer, .seconds(60))
                }
                _ = try await take(deliveries, queue, membership)
            } catch BrokerError.unavailable(let why) {
                log.warning(.brokerUnavailable, [.topic: "\(queue.topic)", .message: "\(why)"])
                try await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// Deliveries of which only the commit was missing are finished even by a worker that was told to stop at once:
    /// where nothing else is to be done, every run is that short.
    private func finishEnded(
        _ queue: JobQueueKind, _ consumer: any GroupConsumer, _ membership: Membership
    ) async throws {
        do {
            while try await take(try await poll(queue, consumer, .milliseconds(1)), queue, membership) {}
        } catch BrokerError.unavailable {
            return
        }
    }

    private func poll(
        _ queue: JobQueueKind, _ consumer: any GroupConsumer, _ wait: Duration
    ) async throws -> [Delivery] {
        try await consumer.poll(limit: queue.window(slots: slots.count), wait: wait)
    }

    /// True where there are some and all of them had ended before.
    private func take(
        _ deliveries: [Delivery], _ queue: JobQueueKind, _ membership: Membership
    ) async throws -> Bool {
        var allEnded = !deliveries.isEmpty
        state.withLock { $0.took(deliveries.count) }
        for delivery in deliveries {
            defer { state.withLock { $0.received() } }
            if try await !receive(delivery, queue, membership) { allEnded = false }
        }
        return allEnded
    }

    /// Puts a job in the queue, or finishes its delivery where nothing is to be done for it; true for the latter.
    private func receive(
        _ delivery: Delivery, _ queue: JobQueueKind, _ membership: Membership
    ) async throws -> Bool {
        let job: Job
        do throws(RecordError) {
            guard let value = delivery.record.value else { throw .malformed("it has no value") }
            guard delivery.record.canBeAnswered else { throw .malformed("it is too large to be answered") }
            job = try Job(record: value)
        } catch {
            try await refuse(delivery, error.failure, queue, membership)
            return true
        }
        let attempts = attempts(membership)
        if (try? attempts.hasEnded(job, delivery.position)) == true {
            await finish(delivery.position, job, queue, membership)
            return true
        }
        let ticket = JobDelivery(
            delivery: delivery, queue: queue, job: job,
            failures: RetryHeader.number(RetryHeader.failures, of: delivery.record),
            notBefore: clock.milliseconds + wait(before: delivery.record),
            epoch: RetryHeader.number(JobHeader.epoch, of: delivery.record),
            runsAlone: (try? attempts.isAtLastStart(job)) == true)
        change { $0.arrived(ticket) }
        return false
    }

    /// In milliseconds. Whoever sent it may have another time of day, and this machine a third one soon: no longer than
    /// any try waits.
    private func wait(before record: Record) -> Int64 {
        let (now, time): (Int64, Int64) = (
            WallClock.milliseconds, RetryHeader.number(RetryHeader.notBefore, of: record)
        )
        return min(max(time, now), now + settings.longestDelay.wholeMilliseconds) - now
    }

    /// A record that is no job can end no job: it becomes a dead letter, and those behind it go on.
    private func refuse(
        _ delivery: Delivery, _ failure: Failure, _ queue: JobQueueKind, _ membership: Membership
    ) async throws {
        log.error(
            .recordRefused,
            [
                .topic: "\(queue.topic)", .partition: .init(delivery.position.partition.partition),
                .offset: .init(delivery.position.offset), .message: "\(failure.message)",
            ])
        try await membership.outbound.park(delivery, failure, 0)
        observe(.refused(failure))
        await finish(delivery.position, nil, queue, membership)
    }

    func finish(_ position: Position, _ job: Job?, _ queue: JobQueueKind, _ membership: Membership) async {
        await membership.consumers[queue]?.finish(position)
        membership.ledgers[queue]?.ledger.withLock { $0.finished(position, job) }
        finishedBell.ring()
    }
}
