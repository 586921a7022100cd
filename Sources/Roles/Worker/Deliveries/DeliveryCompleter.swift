internal import Clock
internal import Broker
internal import Jobs
internal import Manifests
internal import Telemetry

/// Completes deliveries: publishes what becomes of a job, marks that as done, and finishes the delivery.
struct DeliveryCompleter: Sendable {
    let context: WorkerContext
    let consumers: QueueConsumers
    let attempts: AttemptTracker
    let publisher: ResultPublisher

    /// Makes the report's disposition durable, then finishes its delivery.
    func complete(_ report: RenderReport) async throws {
        defer { recordCompletion() }
        let delivery = report.delivery
        switch report.disposition {
        case .end(let outcome):
            let manifest = try await publisher.end(delivery, outcome, attempts: report.attempts)
            announce(manifest, report.timings)
        case .retry(let failures, let delay, let failure):
            try await publisher.retry(
                delivery, failures: failures, delay: delay, isElsewhere: failure.reason.mayPassElsewhere)
            announceRetry(delivery.job, failure, after: delay)
        case .pass(let delay, let failure):
            try await publisher.pass(delivery, delay: delay)
            announceRetry(delivery.job, failure, after: delay)
        // A storage fault or an order to stop is not the job's fault: its delivery stays open.
        case .keep: return
        case .drop:
            context.log.debug(.recordOutOfDate, [.job: "\(delivery.job.id)", .batch: "\(delivery.job.batch)"])
            return await consumers.finish(delivery)
        }
        // Without the marker, a kill before the commit costs one more render. Nothing else depends on it.
        try? attempts.markComplete(delivery.job, at: delivery.position)
        await consumers.finish(delivery)
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
            let note = renditions.partialFailure?.message ?? "all frames became photos"
            context.log.info(
                .jobCompleted,
                [.job: "\(manifest.job)", .count: .init(renditions.count), .message: "\(note)"])
        case .failed(let failure):
            // A damaged file is no fault of the system, so this is no error: manifest and report name the file.
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
