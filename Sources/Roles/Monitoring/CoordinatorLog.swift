internal import Broker
internal import Clock
package import Coordinator
internal import Jobs
internal import Manifests
package import Telemetry

/// Writes a coordinator's events to the log. Every line about a job has the job's id.
package enum CoordinatorLog {
    package static func write(_ event: RunEvent, to log: Logger) {
        switch event {
        case .foundOpenJobs(let count): log.info(.runStarted, [.open: .init(count)])
        case .entry(let entry): write(entry, to: log)
        case .problem(let problem): log.warning(.sourceSkipped, [.message: "\(problem)"])
        case .skipped(let file): log.debug(.sourceSkipped, [.message: "\(file)"])
        case .planned: break
        case .ended(let result, let end): write(result, end, to: log)
        case .refusedByLibrary(let result, let refusal, let delay): write(result, refusal, delay, to: log)
        case .unreadableResult(let position, let error): refused(position, "\(error)", log)
        case .sentAgain(let count): log.warning(.jobRepublished, [.count: .init(count)])
        case .brokerUnavailable(let error, let pause):
            log.warning(
                .brokerUnavailable, [.message: "\(error)", .retryInMilliseconds: .init(pause.wholeMilliseconds)])
        case .ordered(let order, _):
            log.info(.planStarted, [.batch: "\(order.batch)", .source: "\(order.sources.map(\.description))"])
        case .refused(let batch, let problem):
            log.warning(.submissionRefused, [.batch: "\(batch)", .message: "\(problem)"])
        case .orderPlanned(let batch, let counts): write(batch, counts, to: log)
        case .controlled(let control): log.info(.controlApplied, [.message: "\(text(control))"])
        case .rootChanged(let root):
            log.warning(
                .rootChanged,
                [.message: "the root \(root) may be a different folder: none of the files recorded for it exist"])
        case .unreadableControl(let position, let error): refused(position, "\(error)", log)
        }
    }

    private static func write(_ entry: PlanEntry, to log: Logger) {
        guard entry.planClass.isSubmitted else { return }
        log.debug(.jobAccepted, [.job: "\(entry.job)", .source: "\(entry.source.raw.file)"])
    }

    private static func write(_ result: JobResult, _ end: JobState, to log: Logger) {
        log.info(
            .jobClosed,
            [
                .job: "\(result.job)", .batch: "\(result.batch)", .outcome: "\(end)", .worker: "\(result.worker)",
                .attempt: .init(result.attempts),
            ])
    }

    /// A warning while the job is tried again, an error when it fails.
    private static func write(_ result: JobResult, _ refusal: Refusal, _ delay: Duration?, to log: Logger) {
        log.log(
            delay == nil ? .error : .warning, .jobRefused,
            [
                .job: "\(result.job)", .batch: "\(result.batch)", .source: "\(result.file)",
                .worker: "\(result.worker)",
                .reason: "\(refusal.code)", .message: "\(refusal.message)",
                .retryInMilliseconds: .init(delay?.wholeMilliseconds ?? 0),
            ])
    }

    private static func write(_ batch: BatchID, _ counts: PlanCounts, to log: Logger) {
        log.info(
            .planEnded,
            [
                .batch: "\(batch)", .accepted: .init(counts.submitted), .unchanged: .init(counts.unchanged),
                .failed: .init(counts.failedBefore),
            ])
    }

    private static func refused(_ position: Position, _ cause: String, _ log: Logger) {
        log.error(
            .recordRefused,
            [
                .topic: "\(position.partition.topic)", .partition: .init(position.partition.partition),
                .offset: .init(position.offset), .message: "\(cause)",
            ])
    }

    private static func text(_ control: Control) -> String {
        switch control {
        case .pause(let batch): "pause \(batch.map(\.description) ?? "everything")"
        case .resume(let batch): "resume \(batch.map(\.description) ?? "everything")"
        case .cancel(let batch): "cancel \(batch)"
        case .sources(let part): "sources \(part.number) of \(part.batch)"
        case .submit(let order): "submit \(order.batch)"
        case .retry(let choice):
            "retry \(choice.jobs.isEmpty ? "every job" : choice.jobs.count == 1 ? "1 job" : "\(choice.jobs.count) jobs"), "
                + "\(choice.reason?.rawValue ?? "every reason"), \(choice.batch.map(\.description) ?? "every batch")"
        case .drain(let worker): "drain \(worker)"
        }
    }
}
