public import Broker
public import Jobs
public import Manifests
public import Records

/// What a run tells while it goes on.
public enum RunEvent: Sendable {
    /// Jobs that earlier runs accepted and that are still open, at the start.
    case foundOpenJobs(Int)
    /// A file of the plan; what is to be done for it is accepted already, so its end may be told first.
    case entry(PlanEntry)
    case problem(WalkProblem)
    /// The plan is complete.
    case planned(PlanCounts)
    /// A job ended, or was catalogued after it had failed or been cancelled. With its manifest's trace context.
    case ended(Manifest, JobState, traceparent: String?)
    /// A record of the manifests topic that is no manifest; it is passed over.
    case unreadableManifest(Position, RecordError)
    /// Jobs vanished on their way and are sent again.
    case sentAgain(Int)
    /// The broker failed; it is tried again after the pause.
    case brokerUnavailable(BrokerError, pause: Duration)
    /// A service took an order; its plan follows. With the trace context it came with, for whoever records traces.
    case ordered(ConversionOrder, traceparent: String?)
    /// A service refused an order, and why.
    case refused(BatchID, String)
    /// The plan of a service's order is complete.
    case orderPlanned(BatchID, PlanCounts)
    /// An operator's word was done.
    case controlled(Control)
    /// A record of the control topic that is none; it is a dead letter now.
    case unreadableControl(Position, RecordError)
}

/// What a run is to do beside carrying on what is open.
public struct RunRequest: Hashable, Sendable {
    /// Paths as the command line gives them.
    public let sources: [[UInt8]]
    public let submission: Submission

    public init(sources: [[UInt8]], submission: Submission) {
        self.sources = sources
        self.submission = submission
    }
}

/// How a run ended.
public struct RunResult: Hashable, Sendable {
    /// Nil without a request, and where the run was stopped before the plan was complete.
    public let plan: PlanCounts?
    /// The ledger, all batches.
    public let totals: JobCounts
    /// True when nothing is open that no pause holds back; false where the run was stopped before.
    public let isComplete: Bool
}

/// How a run goes about its work.
public struct RunSettings: Sendable {
    /// The workers' consumer group on a topic: its committed offsets tell what they have finished.
    public var workersGroup: @Sendable (_ topic: String) -> String
    /// Jobs accepted in one transaction.
    public var acceptBatchSize = 4000
    /// Jobs sent at once.
    public var sendBatchSize = 4000
    /// Manifests read at once.
    public var manifestBatchSize = 500
    /// How long nothing must have ended before it is checked whether jobs vanished.
    public var quiet: Duration = .seconds(3)
    /// A worker that said nothing for so long is no longer counted among a cluster's; in whole seconds.
    public var workerTimeout: Duration = .seconds(86_400)
    /// How often a job is sent that vanishes again and again.
    public var maxSends = 5
    /// Where a folder too large for memory is sorted; nil is `$TMPDIR` or `/var/tmp`.
    public var scratchFolder: String?

    public init(workersGroup: @escaping @Sendable (_ topic: String) -> String) { self.workersGroup = workersGroup }
}
