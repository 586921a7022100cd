internal import Broker
internal import Clock
internal import Jobs
internal import Manifests
internal import Storage
internal import Synchronization
internal import Telemetry

extension RenderWorker {
    /// Makes a job's end, or its next try, durable; then finishes its delivery.
    func settle(_ done: Settled, _ membership: Membership) async throws {
        defer { if state.withLock({ $0.settled() }) { bell.ring() } }
        let ticket = done.ticket
        switch done.settlement {
        case .end(let outcome):
            let manifest = try await membership.outbound.end(ticket, outcome, attempts: done.attempts)
            report(manifest, done.timings)
        case .retry(let failures, let delay, let failure):
            try await membership.outbound.retry(ticket, failures: failures, delay: delay)
            reportRetry(ticket.job, failure, after: delay)
        case .pass(let delay, let failure):
            try await membership.outbound.pass(ticket, delay: delay)
            reportRetry(ticket.job, failure, after: delay)
        // Neither a full disk nor an order to stop is the job's fault: it stays open.
        case .keep: return
        case .drop:
            log.debug(.recordOutOfDate, [.job: "\(ticket.job.id)", .batch: "\(ticket.job.batch)"])
            return await finish(ticket.delivery.position, ticket.job, ticket.queue, membership)
        }
        // Without the note a kill before the commit costs one more render; nothing else depends on it.
        try? attempts(membership).noteEnd(ticket.job, ticket.delivery.position)
        await finish(ticket.delivery.position, ticket.job, ticket.queue, membership)
    }

    private func reportRetry(_ job: Job, _ failure: Failure, after delay: Duration) {
        log.warning(
            .jobRetried,
            [
                .job: "\(job.id)", .reason: "\(failure.reason.rawValue)", .message: "\(failure.message)",
                .retryInMilliseconds: .init(delay.wholeMilliseconds),
            ])
        observe(.retried(job, failure, after: delay))
    }

    private func report(_ manifest: Manifest, _ timings: [StageTiming]) {
        switch manifest.outcome {
        case .completed(let renditions):
            log.info(.jobCompleted, [.job: "\(manifest.job)", .count: .init(renditions.count)])
        case .failed(let failure):
            // What is wrong with a file is no fault of the system: the manifest says it, and the report names it.
            log.info(
                .jobFailed,
                [
                    .job: "\(manifest.job)", .source: "\(manifest.source.raw.file)",
                    .reason: "\(failure.reason.rawValue)", .message: "\(failure.message)",
                ])
        }
        observe(.ended(manifest, timings: timings))
    }

    /// Commits what was finished, until the worker ends: the first at once, the next ones together. A commit costs the
    /// broker as much as a job does; what a kill leaves uncommitted has its notes and is not rendered again.
    func commit(_ membership: Membership) async {
        while state.withLock({ $0.phase == .working }) {
            let rings = finishedBell.rings
            do {
                try await commitNow(membership)
                await sleepWhileWorking(.milliseconds(100))
            } catch {
                log.warning(.brokerUnavailable, [.message: "\(error)"])
                try? await Task.sleep(for: .seconds(1))
            }
            await finishedBell.wait(beyond: rings, limit: .seconds(1))
        }
    }

    /// Commits, then forgets the starts of jobs that will not be delivered again.
    func commitNow(_ membership: Membership) async throws {
        for queue in JobQueueKind.allCases {
            guard let consumer = membership.consumers[queue], let book = membership.ledgers[queue] else { continue }
            guard book.ledger.withLock({ !$0.isEmpty }) else { continue }
            let offsets = try await consumer.commit()
            let past = book.ledger.withLock { $0.committed(offsets) }
            let attempts = attempts(membership)
            for case (let position, let job?) in past { try? attempts.forget(job, position) }
        }
    }
}
