internal import Broker
internal import Clock
internal import Jobs
internal import Manifests
internal import RenderJobs
internal import Telemetry

/// Completes deliveries: names the rendered files, publishes the job's result, marks it as done, and finishes the
/// delivery.
struct DeliveryCompleter: Sendable {
    let context: WorkerContext
    let consumers: QueueConsumers
    let attempts: AttemptTracker
    let publisher: ResultPublisher
    let naming: RenditionNaming

    func complete(_ attempt: FinishedAttempt) async throws {
        defer {
            attempt.lock?.end()
            recordCompletion()
        }
        let delivery = attempt.delivery
        switch await disposition(of: attempt) {
        case .end(let outcome):
            let manifest = try await publisher.end(delivery, outcome, attempts: attempt.attempts)
            announce(manifest, attempt.timings)
        case .retry(let failures, let delay, let failure):
            try await publisher.retry(
                delivery, failures: failures, delay: delay, isElsewhere: failure.reason.mayPassElsewhere)
            announceRetry(delivery.job, failure, after: delay)
        case .pass(let delay, let failure):
            try await publisher.pass(delivery, delay: delay)
            announceRetry(delivery.job, failure, after: delay)
        case .again:
            context.log.info(
                .jobRetried, [.job: "\(delivery.job.id)", .message: "another file took its photo's name"])
            // Counted as a failure so that it is rendered again: the other photo is not yet in the library.
            try await publisher.retry(
                delivery, failures: delivery.failures + 1, delay: .zero, isElsewhere: false)
        // A storage fault or a stop is not the job's fault: its delivery stays open.
        case .keep: return
        case .drop:
            context.log.debug(.recordOutOfDate, [.job: "\(delivery.job.id)", .batch: "\(delivery.job.batch)"])
            return await consumers.finish(delivery)
        }
        // Without the marker, a kill before the commit costs one more render and nothing else.
        try? attempts.markComplete(delivery.job, at: delivery.position)
        await consumers.finish(delivery)
    }

    /// Names the files first: a manifest must be true when it is published.
    private func disposition(of attempt: FinishedAttempt) async -> WorkerState.Disposition {
        guard case .end = attempt.disposition else { return attempt.disposition }
        switch await naming.name(attempt.files) {
        case .named: return attempt.disposition
        case .taken: return context.state.change { $0.recordUnpublished(attempt.delivery, nil) }
        case .failed(let error):
            return context.state.change { $0.recordUnpublished(attempt.delivery, Failure(library: error)) }
        }
    }

    /// A job that runs alone may be waiting for the last completion.
    private func recordCompletion() {
        if context.state.withState({ $0.recordCompletion() }) { context.state.slotSignal.signal() }
    }

    private func announceRetry(_ job: Job, _ failure: Failure, after delay: Duration) {
        context.log.warning(
            .jobRetried,
            [
                .job: "\(job.id)", .reason: "\(failure.reason.rawValue)", .message: "\(failure.message)",
                .retryInMilliseconds: .init(delay.wholeMilliseconds),
            ])
        context.observe(.retried(job, failure, after: delay))
    }

    private func announce(_ manifest: Manifest, _ timings: [StageTiming]) {
        switch manifest.outcome {
        case .completed(let renditions):
            let note = renditions.partialFailure?.message ?? "all frames rendered"
            context.log.info(
                .jobCompleted,
                [.job: "\(manifest.job)", .count: .init(renditions.count), .message: "\(note)"])
        case .failed(let failure):
            // A damaged file is not a system error; the manifest and the report name it.
            context.log.info(
                .jobFailed,
                [
                    .job: "\(manifest.job)", .source: "\(manifest.source.raw.file)",
                    .reason: "\(failure.reason.rawValue)", .message: "\(failure.message)",
                ])
        }
        context.observe(.ended(manifest, timings: timings))
    }
}
