public import Broker
public import Jobs
public import Manifests
public import Records

/// What a run or a service reports while it works.
public enum RunEvent: Sendable {
    /// At the start: the number of open jobs that earlier runs accepted.
    case foundOpenJobs(Int)
    /// A file of the plan. Its job is accepted already, so its end may be reported first.
    case entry(PlanEntry)
    /// Something that the walk could not read.
    case problem(WalkProblem)
    /// A file that is left out, and with which nothing is wrong.
    case skipped(SkippedFile)
    /// The plan is complete.
    case planned(PlanCounts)
    /// A job ended, or was catalogued after it had failed or been cancelled.
    case ended(JobResult, JobState)
    /// The library did not take the photo of a job. The job is open and will be sent again after the delay; without one it
    /// was refused too often and fails.
    case refusedByLibrary(JobResult, Refusal, Duration?)
    /// A record of the results topic that cannot be read. It is skipped.
    case unreadableResult(Position, RecordError)
    /// This many jobs were lost and are sent again.
    case sentAgain(Int)
    /// The broker failed. The next attempt follows after the pause.
    case brokerUnavailable(BrokerError, pause: Duration)
    /// A service took an order; its plan follows. With the trace context of the order.
    case ordered(ConversionOrder, traceparent: String?)
    /// A service refused an order, and why.
    case refused(BatchID, String)
    /// The plan of a service's order is complete.
    case orderPlanned(BatchID, PlanCounts)
    /// An operator's command was carried out.
    case controlled(Control)
    /// A root is not what it was: nothing by which it was known is in it. What is there now counts from here on.
    case rootChanged(RootName)
    /// A record of the control topic that is not a command. It became a dead letter.
    case unreadableControl(Position, RecordError)
}

/// What a run converts, beside the jobs that are open.
public struct RunRequest: Hashable, Sendable {
    /// Paths as the command line gives them.
    public let sources: [[UInt8]]
    /// What their jobs have in common: one submission for each recipe. Every file is accepted for each of them.
    public let submissions: [Submission]
    /// Which of the files are wanted.
    public var filter: SourceFilter
    /// Jobs that ended and whose photos are gone since: they are done again where the sources hold their files.
    public var missing: Set<JobID>

    /// - Parameters:
    ///   - sources: paths as the command line gives them.
    ///   - submissions: one for each recipe.
    ///   - filter: which of the files are wanted.
    ///   - missing: jobs that ended and whose photos are gone since.
    public init(
        sources: [[UInt8]], submissions: [Submission], filter: SourceFilter = SourceFilter(),
        missing: Set<JobID> = []
    ) {
        self.sources = sources
        self.submissions = submissions
        self.filter = filter
        self.missing = missing
    }

    /// A request with one recipe.
    ///
    /// - Parameters:
    ///   - sources: paths as the command line gives them.
    ///   - submission: what their jobs have in common.
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
    /// True if no job is open except those of paused batches. False if the run was stopped before that.
    public let isComplete: Bool
}

/// How a run works.
public struct RunSettings: Sendable {
    /// The workers' consumer group for a topic. Its committed offsets show what the workers have finished.
    public var workersGroup: @Sendable (_ topic: String) -> String
    /// The library's identity, which jobs carry and the topics belong to; nil for a library that only this process reaches.
    public var libraryIdentity: String?
    /// Jobs accepted in one transaction.
    public var acceptBatchSize = 4000
    /// Jobs sent at once.
    public var sendBatchSize = 4000
    /// Records of results read at once.
    public var resultBatchSize = 100
    /// How long a job waits whose photo the library refused, by the number of refusals; with one more it fails. The second
    /// time is for a person who mounts the right library meanwhile.
    public var refusalDelays: [Duration] = [.seconds(10), .seconds(300)]
    /// How often a service looks at its roots.
    public var rootInterval: Duration = .seconds(60)
    /// How long no job must have ended before the run looks for lost jobs.
    public var quietPeriod: Duration = .seconds(3)
    /// A worker without a heartbeat for this long is removed from the cluster's status. In whole seconds.
    public var workerTimeout: Duration = .seconds(86_400)
    /// How often a job is sent that is lost again and again.
    public var maxSends = 5

    /// - Parameter workersGroup: the workers' consumer group for a topic.
    public init(workersGroup: @escaping @Sendable (_ topic: String) -> String) { self.workersGroup = workersGroup }
}
