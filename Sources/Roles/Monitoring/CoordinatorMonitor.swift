internal import Clock
public import Coordinator
internal import Jobs
internal import LibraryTables
internal import Manifests
public import Metrics
internal import Telemetry

/// A coordinator's metrics and readiness, from its events and its ledger.
public final class CoordinatorMonitor: Sendable {
    /// The registry that holds the metrics.
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
        readiness = Readiness([.open: "the ledger is not read yet"])
        accepted = registry.counter("rawmill_coordinator_jobs_accepted_total", "Jobs written to the ledger.")
        ended = registry.counter(
            "rawmill_coordinator_jobs_ended_total", "Jobs that ended, by outcome.", labels: ["outcome"])
        for outcome in [JobState.catalogued, .degraded, .failed] { ended.add(0, ["\(outcome)"]) }
        failures = registry.counter(
            "rawmill_coordinator_failures_total", "Jobs that ended as failed, by reason.", labels: ["reason"])
        resent = registry.counter("rawmill_coordinator_jobs_resent_total", "Lost jobs that were sent again.")
        outages = registry.counter("rawmill_broker_unavailable_total", "Number of times the broker was unreachable.")
        unreadable = registry.counter("rawmill_records_refused_total", "Invalid result records, skipped.")
        refused = registry.counter(
            "rawmill_coordinator_jobs_refused_total",
            "Number of times the library refused a job's photo, by reason. The job is sent again.",
            labels: ["reason"])
        refused.add(0, ["missing-file"])
        ledgerGauges = LedgerGauges(registry)
    }

    /// Counts an event of the coordinator. Takes a short lock and does not wait.
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

    /// Reports what blocks all work, such as a full disk; nil when nothing does.
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

    /// Codes come from records, and a metric must have a limited number of labels.
    private static func label(_ refusal: Refusal) -> String {
        refusal.isAboutSource || MergeRefusal.codes.contains(refusal.code) ? refusal.code : "other"
    }

    /// Reads the ledger periodically until the task is cancelled.
    public func watch(_ ledger: Ledger, every interval: Duration = .seconds(5)) async {
        await Periodic.run(every: interval) {
            // A ledger that cannot be read stops the coordinator itself. That is not for this task to do.
            if (try? await ledgerGauges.update(from: ledger)) != nil { readiness.setMet(.open) }
        }
    }
}
