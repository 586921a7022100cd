public import Broker
public import Jobs
public import Manifests
public import Records

/// An event of a run or a service.
public enum RunEvent: Sendable {
    /// At the start: the number of open jobs that earlier runs accepted.
    case foundOpenJobs(Int)
    /// A file of the plan. Its job is already accepted, so its end may be reported first.
    case entry(PlanEntry)
    case problem(WalkProblem)
    /// A sound file that is left out.
    case skipped(SkippedFile)
    case planned(PlanCounts)
    /// A job ended, or was catalogued after it had failed or been cancelled.
    case ended(JobResult, JobState)
    /// The library refused a job's photo. The open job will be sent again after the delay; without a delay it was
    /// refused too often and fails.
    case refusedByLibrary(JobResult, Refusal, Duration?)
    /// An unreadable record of the results topic. It is skipped.
    case unreadableResult(Position, RecordError)
    /// This many lost jobs are sent again.
    case sentAgain(Int)
    /// The broker failed. The next attempt follows after the pause.
    case brokerUnavailable(BrokerError, pause: Duration)
    /// A service accepted an order; its plan follows. With the trace context of the order.
    case ordered(ConversionOrder, traceparent: String?)
    /// A service refused an order, with the reason.
    case refused(BatchID, String)
    case orderPlanned(BatchID, PlanCounts)
    case controlled(Control)
    /// A root contains no file of its sample. Its present content counts from now on.
    case rootChanged(RootName)
    /// A record of the control topic that is not a command. It became a dead letter.
    case unreadableControl(Position, RecordError)
}

/// What a run converts, in addition to the open jobs.
public struct RunRequest: Hashable, Sendable {
    /// Paths as given on the command line.
    public let sources: [[UInt8]]
    /// Common properties of their jobs: one submission per recipe. Every file is accepted for each of them.
    public let submissions: [Submission]
    /// Selects the wanted files.
    public var filter: SourceFilter
    /// Ended jobs whose photos are missing: they are repeated if the sources contain their files.
    public var missing: Set<JobID>

    /// Creates a request from its parts.
    public init(
        sources: [[UInt8]], submissions: [Submission], filter: SourceFilter = SourceFilter(),
        missing: Set<JobID> = []
    ) {
        self.sources = sources
        self.submissions = submissions
        self.filter = filter
        self.missing = missing
    }

    /// Creates a request with one recipe.
    public init(sources: [[UInt8]], submission: Submission) {
        self.init(sources: sources, submissions: [submission])
    }
}

/// How a run ended.
public struct RunResult: Hashable, Sendable {
    /// Nil without a request, and if the run was stopped before the plan was complete.
    public let plan: PlanCounts?
    /// The jobs of all batches by state.
    public let totals: JobCounts
    /// Whether no job is open except those of paused batches.
    public let isComplete: Bool
}

/// Settings of a run.
public struct RunSettings: Sendable {
    /// The workers' consumer group for a topic. Its committed offsets show the workers' progress.
    public var workersGroup: @Sendable (_ topic: String) -> String
    /// The library's identity, which jobs carry and which owns the topics; nil for a library that only this process
    /// uses.
    public var libraryIdentity: String?
    /// Jobs accepted in one transaction.
    public var acceptBatchSize = 4000
    /// Jobs sent at once.
    public var sendBatchSize = 4000
    /// Result records read at once.
    public var resultBatchSize = 100
    /// Delay of a job whose photo the library refused, by the number of refusals; with one more it fails. The second
    /// delay gives an operator time to mount the right library.
    public var refusalDelays: [Duration] = [.seconds(10), .seconds(300)]
    /// Interval of a service's checks of its roots.
    public var rootInterval: Duration = .seconds(60)
    /// Time without an ended job before the run looks for lost jobs.
    public var quietPeriod: Duration = .seconds(3)
    /// Time without a heartbeat, in whole seconds, after which a worker is removed from the cluster's status.
    public var workerTimeout: Duration = .seconds(86_400)
    /// How often a repeatedly lost job is sent.
    public var maxSends = 5

    /// - Parameter workersGroup: the workers' consumer group for a topic.
    public init(workersGroup: @escaping @Sendable (_ topic: String) -> String) { self.workersGroup = workersGroup }
}
