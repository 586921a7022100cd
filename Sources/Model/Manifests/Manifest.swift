public import Jobs

/// The record a job ends with.
public struct Manifest: Hashable, Sendable {
    /// How the job ended.
    public enum Outcome: Hashable, Sendable {
        /// One rendition a frame, at least one. A frame that cannot be rendered does not take the others with it.
        case completed(RenderedFrames)
        /// No rendition.
        case failed(Failure)

        /// Why there is no rendition, or not one of each frame; nil where there is.
        public var failure: Failure? {
            switch self {
            case .completed(let frames): frames.partialFailure
            case .failed(let failure): failure
            }
        }
    }

    /// The job that ended.
    public let job: JobID
    /// The submission it belongs to.
    public let batch: BatchID
    /// The job's fresh start; a manifest of an earlier one does not end the job.
    public let round: UInt32
    /// The RAW and the files beside it.
    public let source: Source
    /// What decided the pixels.
    public let recipe: Recipe
    /// What becomes of the RAW.
    public let originals: OriginalsPolicy
    /// Renders started for it, this one included.
    public let attempts: UInt32
    /// Name of the worker.
    public let worker: String
    /// Milliseconds since 1970 by the worker's clock: for people, no decision depends on it.
    public let finishedMilliseconds: Int64
    /// The job's; see ``Job/precedence``.
    public let precedence: Int64
    /// The job's; see ``Job/isHeld``.
    public let isHeld: Bool
    /// How the job ended.
    public let outcome: Outcome

    /// Photos of it that the library had already: nothing was developed for them.
    public var reusedCount: Int { if case .completed(let frames) = outcome { frames.reusedCount } else { 0 } }

    /// The parameters are the properties of the same names.
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

    /// The manifest that ends a job.
    ///
    /// - Parameters:
    ///   - job: gives id, batch, round, source, recipe, originals, precedence and whether it is held.
    ///   - attempts: renders started for it, this one included.
    ///   - worker: name of the worker.
    ///   - finishedMilliseconds: since 1970.
    ///   - outcome: how it ended.
    public init(
        ending job: Job, attempts: UInt32, worker: String, finishedMilliseconds: Int64, outcome: Outcome
    ) {
        self.init(
            job: job.id, batch: job.batch, round: job.round, source: job.source, recipe: job.recipe,
            originals: job.originals, attempts: attempts, worker: worker, finishedMilliseconds: finishedMilliseconds,
            precedence: job.precedence, isHeld: job.isHeld, outcome: outcome)
    }
}

/// A record that could not be processed, kept as it came. Its headers become the dead letter's own.
public struct DeadLetter: Hashable, Sendable {
    /// Where the record was.
    public let topic: String
    /// Where in the topic.
    public let partition: Int32
    /// Where in the partition.
    public let offset: Int64
    /// The record's key, cut to `maxKeyBytes`.
    public let key: [UInt8]
    /// The record's value, cut to `maxValueBytes`; nil for a record without one.
    public let value: [UInt8]?
    /// Why it could not be processed.
    public let failure: Failure
    /// Renders started for it.
    public let attempts: UInt32
    /// Name of the process that gave up on it.
    public let worker: String
    /// Version of that process's engine.
    public let engine: UInt32
    /// When it was put aside, in milliseconds since 1970.
    public let parkedMilliseconds: Int64

    /// In place of a process's name: the job was ended by the coordinator's ledger. Topic and value are those of the job's
    /// record, and its position is not known.
    public static let ledger = "the ledger"

    /// Bytes that are kept of a record's key. Rawmill writes shorter keys and values; of a foreign record that is longer
    /// the beginning is kept, so that any record can be put aside.
    public static let maxKeyBytes = 16 << 10
    /// Bytes that are kept of a record's value.
    public static let maxValueBytes = 64 << 10

    /// The parameters are the properties of the same names.
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
