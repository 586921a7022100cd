public import Jobs

/// The record that ends a job.
public struct Manifest: Hashable, Sendable {
    /// How the job ended.
    public enum Outcome: Hashable, Sendable {
        /// One rendition for each frame that could be rendered, at least one.
        case completed(RenderedFrames)
        case failed(Failure)

        /// Why a rendition is missing; nil if every frame has one.
        public var failure: Failure? {
            switch self {
            case .completed(let frames): frames.partialFailure
            case .failed(let failure): failure
            }
        }
    }

    /// The job that ended.
    public let job: JobID
    /// The submission of the job.
    public let batch: BatchID
    /// The job's fresh start. The manifest of an earlier one does not end the job.
    public let round: UInt32
    /// The RAW and its companions.
    public let source: Source
    /// What decided the pixels.
    public let recipe: Recipe
    /// What happens to the RAW.
    public let originals: OriginalsPolicy
    /// The number of renders started, including this one.
    public let attempts: UInt32
    /// The worker's name.
    public let worker: String
    /// Milliseconds since 1970 by the worker's clock. For display: no decision depends on it.
    public let finishedMilliseconds: Int64
    /// The job's, see ``Job/precedence``.
    public let precedence: Int64
    /// The job's, see ``Job/isHeld``.
    public let isHeld: Bool
    /// How the job ended.
    public let outcome: Outcome

    /// The photos that the library already had, which were not developed.
    public var reusedCount: Int { if case .completed(let frames) = outcome { frames.reusedCount } else { 0 } }

    /// Memberwise initializer.
    public init(
        job: JobID, batch: BatchID, round: UInt32, source: Source, recipe: Recipe, originals: OriginalsPolicy,
        attempts: UInt32, worker: String, finishedMilliseconds: Int64, precedence: Int64 = 0, isHeld: Bool = false,
        outcome: Outcome
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
        self.precedence = precedence
        self.isHeld = isHeld
        self.outcome = outcome
    }

    /// The manifest of a job. `attempts` includes this one; `finishedMilliseconds` is since 1970, by the worker's
    /// clock.
    public init(
        ending job: Job, attempts: UInt32, worker: String, finishedMilliseconds: Int64, outcome: Outcome
    ) {
        self.init(
            job: job.id, batch: job.batch, round: job.round, source: job.source, recipe: job.recipe,
            originals: job.originals, attempts: attempts, worker: worker, finishedMilliseconds: finishedMilliseconds,
            precedence: job.precedence, isHeld: job.isHeld, outcome: outcome)
    }
}

/// An unprocessable record in its original form. Its headers become those of the dead letter.
public struct DeadLetter: Hashable, Sendable {
    /// The record's topic.
    public let topic: String
    /// The record's partition.
    public let partition: Int32
    /// The record's offset.
    public let offset: Int64
    /// The record's key, cut to `maxKeyBytes`.
    public let key: [UInt8]
    /// The record's value, cut to `maxValueBytes`; nil if it has none.
    public let value: [UInt8]?
    /// Why it could not be processed.
    public let failure: Failure
    /// The number of renders started.
    public let attempts: UInt32
    /// The process that rejected the record.
    public let worker: String
    /// The version of that process's engine.
    public let engine: UInt32
    /// The time of the rejection, in milliseconds since 1970.
    public let parkedMilliseconds: Int64

    /// The value of `worker` if the coordinator's ledger ended the job. Topic and value are then those of the job's
    /// record, whose position is unknown.
    public static let ledger = "the ledger"

    /// The limit of the stored key, in bytes. Longer keys and values, of foreign records, are cut to be storable.
    public static let maxKeyBytes = 16 << 10
    /// The limit of the stored value, in bytes.
    public static let maxValueBytes = 64 << 10

    /// Memberwise initializer.
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
