public import Jobs

/// The record a job ends with.
public struct Manifest: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        /// One rendition a frame, at least one.
        case completed([Rendition])
        case failed(Failure)
    }

    public let job: JobID
    public let batch: BatchID
    public let round: UInt32
    public let source: Source
    public let recipe: Recipe
    public let originals: OriginalsPolicy
    /// Renders started for it, this one included.
    public let attempts: UInt32
    public let worker: String
    /// Milliseconds since 1970.
    public let finishedMilliseconds: Int64
    public let outcome: Outcome

    public init(
        job: JobID, batch: BatchID, round: UInt32, source: Source, recipe: Recipe, originals: OriginalsPolicy,
        attempts: UInt32, worker: String, finishedMilliseconds: Int64, outcome: Outcome
    ) {
        self.job = job
        self.batch = batch
        self.round = round
        self.source = source
        self.recipe = recipe
        self.originals = originals
        self.attempts = attempts
        self.worker = worker
        self.finishedMilliseconds = finishedMilliseconds
        self.outcome = outcome
    }

    /// The manifest that ends a job.
    public init(
        ending job: Job, attempts: UInt32, worker: String, finishedMilliseconds: Int64, outcome: Outcome
    ) {
        self.init(
            job: job.id, batch: job.batch, round: job.round, source: job.source, recipe: job.recipe,
            originals: job.originals, attempts: attempts, worker: worker, finishedMilliseconds: finishedMilliseconds,
            outcome: outcome)
    }
}

/// A record nobody could finish, kept as it came. Its headers are passed on as the dead letter's own.
public struct DeadLetter: Hashable, Sendable {
    public let topic: String
    public let partition: Int32
    public let offset: Int64
    public let key: [UInt8]
    /// Nil for a record without a value.
    public let value: [UInt8]?
    public let failure: Failure
    public let attempts: UInt32
    public let worker: String
    public let engine: UInt32
    public let parkedMilliseconds: Int64

    /// Most bytes that are kept of a record's key and of its value. More than Rawmill writes: what is longer is somebody
    /// else's, and its beginning has to do, so that whatever comes can be put aside.
    public static let maxKeyBytes = 16 << 10
    public static let maxValueBytes = 64 << 10

    public init(
        topic: String, partition: Int32, offset: Int64, key: [UInt8], value: [UInt8]?, failure: Failure,
        attempts: UInt32, worker: String, engine: UInt32 = Engine.version, parkedMilliseconds: Int64
    ) {
        self.topic = topic
        self.partition = partition
        self.offset = offset
        self.key = Array(key.prefix(Self.maxKeyBytes))
        self.value = value.map { Array($0.prefix(Self.maxValueBytes)) }
        self.failure = failure
        self.attempts = attempts
        self.worker = worker
        self.engine = engine
        self.parkedMilliseconds = parkedMilliseconds
    }
}

/// What a render process answers to a job.
public struct RenderReply: Hashable, Sendable {
    public let job: JobID
    public let outcome: Manifest.Outcome
    public let timings: [StageTiming]
    public let peakResidentBytes: UInt64

    public init(job: JobID, outcome: Manifest.Outcome, timings: [StageTiming], peakResidentBytes: UInt64) {
        self.job = job
        self.outcome = outcome
        self.timings = timings
        self.peakResidentBytes = peakResidentBytes
    }
}
