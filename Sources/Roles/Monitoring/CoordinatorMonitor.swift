public import Coordinator
internal import Jobs
internal import Library
internal import Manifests
public import Metrics
internal import Telemetry

/// A coordinator's metrics and readiness, from its events and from its ledger.
public final class CoordinatorMonitor: Sendable {
    /// Holds the metrics.
    public let registry: MetricRegistry
    /// Ready when the ledger has been read.
    public let readiness: Readiness
    private let accepted: Counter
    private let ended: Counter
    private let failures: Counter
    private let resent: Counter
    private let outages: Counter
    private let unreadable: Counter
    private let refused: Counter
    private let ledgerGauges: LedgerGauges

    /// Registers the metrics.
    public init(_ registry: MetricRegistry) {
        self.registry = registry
        readiness = Readiness([.open: "the ledger was not read yet"])
        accepted = registry.counter("rawmill_coordinator_jobs_accepted_total", "Jobs written to the ledger.")
        ended = registry.counter(
            "rawmill_coordinator_jobs_ended_total", "Jobs that ended, by outcome.", labels: ["outcome"])
        for outcome in [JobState.catalogued, .degraded, .failed] { ended.add(0, ["\(outcome)"]) }
        failures = registry.counter(
            "rawmill_coordinator_failures_total", "Jobs that ended as failed, by reason.", labels: ["reason"])
        resent = registry.counter("rawmill_coordinator_jobs_resent_total", "Jobs that vanished and were sent again.")
        outages = registry.counter("rawmill_broker_unavailable_total", "Times that the broker could not be reached.")
        unreadable = registry.counter("rawmill_records_refused_total", "Records that were no results, passed over.")
        refused = registry.counter(
            "rawmill_coordinator_jobs_refused_total",
            "Times that the library did not take the photo of a job, by reason. The job is handed out again.",
            labels: ["reason"])
        refused.add(0, ["missing-file"])
        ledgerGauges = LedgerGauges(registry)
    }

    /// Counts an event of the coordinator. Takes a short lock, and does not wait.
    public func record(_ event: RunEvent) {
        switch event {
        case .entry(let entry): if entry.planClass.isSubmitted { accepted.add() }
        case .ended(let result, let end):
            ended.add(1, ["\(end)"])
            if end == .failed { failures.add(1, [Self.reason(of: result).rawValue]) }
        case .refusedByLibrary(_, let refusal, _): refused.add(1, [Self.label(refusal)])
        case .sentAgain(let count): resent.add(Double(count))
        case .brokerUnavailable: outages.add()
        case .unreadableResult: unreadable.add()
        default: break
        }
    }

    /// Reports what holds up all work, such as a full disk; nil when nothing does.
    public func waits(for cause: String?) {
        if let cause { readiness.setUnmet(.working, cause) } else { readiness.setMet(.working) }
    }

    private static func reason(of result: JobResult) -> FailureReason {
        switch result.outcome {
        case .failed(let failure): failure.reason
        case .refused(let refusal) where refusal.isAboutSource: .sourceMissing
        case .refused, .catalogued: .libraryRefused
        }
    }

    /// A code comes from a record, and a metric must not have any number of labels.
    private static func label(_ refusal: Refusal) -> String {
        refusal.isAboutSource || MergeRefusal.codes.contains(refusal.code) ? refusal.code : "other"
    }

    /// Reads the ledger again and again, until the task is cancelled.
    public func watch(_ ledger: Ledger, every interval: Duration = .seconds(5)) async {
        while !Task.isCancelled {
            // A ledger that cannot be read stops the coordinator itself. That is not for this task to do.
            if (try? await ledgerGauges.update(from: ledger)) != nil { readiness.setMet(.open) }
            try? await Task.sleep(for: interval)
        }
    }
}
