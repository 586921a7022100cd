public import Digest
public import Jobs

/// What became of a job: the cataloguer's word about its manifest. The coordinator's ledger counts nothing else.
public struct JobResult: Hashable, Sendable {
    /// How the job ended, or why it did not.
    public enum Outcome: Hashable, Sendable {
        /// The library has every photo of the manifest.
        ///
        /// - asset: SHA-256 of the RAW.
        /// - degraded: why a photo cannot be trusted, or a frame has none; nil for good ones.
        case catalogued(asset: SHA256Value, degraded: String?)
        /// The manifest says that the render failed.
        case failed(Failure)
        /// The library did not take what the manifest describes. The job is open again.
        case refused(Refusal)
    }

    /// The job.
    public let job: JobID
    /// The submission it belongs to.
    public let batch: BatchID
    /// The RAW.
    public let file: FileReference
    /// The job's fresh start that the manifest is of.
    public let round: UInt32
    /// Renders started for it.
    public let attempts: UInt32
    /// Name of the worker.
    public let worker: String
    /// When the render ended by the worker's clock, in milliseconds since 1970.
    public let finishedMilliseconds: Int64
    /// The W3C trace context of the manifest.
    public let traceparent: String?
    /// How the job ended, or why it did not.
    public let outcome: Outcome
    /// Photos of it that the library had already, so that nothing was developed for them.
    public let reused: UInt32
    /// Why the first of the frames without a photo has none, where the library has those of others; nil where each has one.
    public let frameFailure: FailureReason?
    /// The camera of a photo that was to have a camera profile, and of which the recipe has none; nil for all others.
    public let cameraWithoutProfile: String?

    /// The parameters are the properties of the same names.
    public init(
        job: JobID, batch: BatchID, file: FileReference, round: UInt32, attempts: UInt32, worker: String,
        finishedMilliseconds: Int64, traceparent: String? = nil, outcome: Outcome, reused: UInt32 = 0,
        frameFailure: FailureReason? = nil, cameraWithoutProfile: String? = nil
    ) {
        self.cameraWithoutProfile = cameraWithoutProfile
        self.frameFailure = frameFailure
        self.job = job
        self.batch = batch
        self.file = file
        self.round = round
        self.attempts = attempts
        self.worker = worker
        self.finishedMilliseconds = finishedMilliseconds
        self.traceparent = traceparent
        self.outcome = outcome
        self.reused = reused
    }

    /// The result of a manifest.
    ///
    /// - Parameters:
    ///   - manifest: gives all that the result says about the job.
    ///   - refusal: why the library did not take it; nil if it has every photo of it.
    ///   - traceparent: the W3C trace context of the manifest.
    public init(of manifest: Manifest, refusal: Refusal? = nil, traceparent: String? = nil) {
        let outcome: Outcome
        var reused = 0
        var frameFailure: FailureReason?
        var cameraWithoutProfile: String?
        switch manifest.outcome {
        case .failed(let failure): outcome = .failed(failure)
        case .completed(let renditions):
            if let refusal {
                outcome = .refused(refusal)
            } else if let asset = renditions.first?.asset {
                outcome = .catalogued(asset: asset, degraded: renditions.degradation)
                reused = renditions.reusedCount
                frameFailure = renditions.partialFailure?.reason
                cameraWithoutProfile = renditions.first { $0.lacksProfile }?.cameraName
            } else {
                outcome = .refused(Refusal(code: "no-photo", message: "The manifest names no photo."))
            }
        }
        self.init(
            job: manifest.job, batch: manifest.batch, file: manifest.source.raw.file, round: manifest.round,
            attempts: manifest.attempts, worker: manifest.worker,
            finishedMilliseconds: manifest.finishedMilliseconds, traceparent: traceparent, outcome: outcome,
            reused: UInt32(clamping: reused), frameFailure: frameFailure, cameraWithoutProfile: cameraWithoutProfile)
    }
}

/// Why the library did not take what a manifest describes.
public struct Refusal: Hashable, Sendable, CustomStringConvertible {
    /// For programs: `missing-file`, `other-bytes`, …
    public let code: String
    /// For people: what is wrong, and what to do.
    public let message: String

    /// - Parameters:
    ///   - code: for programs.
    ///   - message: for people.
    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    /// The code of a source that a worker missed although the coordinator sees it.
    public static let sourcePresent = "source-present"
    /// The code of a source that a worker missed, where the coordinator does not see the root either.
    public static let rootUnseen = "root-unseen"

    /// True if it is about a source that a worker missed; false if the library refused a photo.
    public var isAboutSource: Bool { code == Self.sourcePresent || code == Self.rootUnseen }

    /// Code and message.
    public var description: String { "\(code): \(message)" }
}

/// No photo of a RAW and a recipe is in the library any more, because a person removed it.
public struct RemovedPhoto: Hashable, Sendable {
    /// SHA-256 of the RAW's bytes.
    public let asset: SHA256Value
    /// The recipe's digest.
    public let recipe: SHA256Value

    /// The parameters are the properties of the same names.
    public init(asset: SHA256Value, recipe: SHA256Value) {
        self.asset = asset
        self.recipe = recipe
    }
}

/// A record of the results topic: the results of manifests that were merged together, and how far the cataloguer is.
public struct JobResults: Hashable, Sendable {
    /// In the order of the manifests of each partition.
    public var results: [JobResult]
    /// The cluster that the manifests came from.
    public let cluster: String
    /// By partition of the manifests topic, the offset before which every manifest has its result in this record or in
    /// an earlier one.
    public let answered: [Int32: Int64]
    /// The highest precedence of any photo in the library; see ``Job/precedence``.
    public let highestPrecedence: Int64
    /// Photos that a person took out of the library.
    public var removed: [RemovedPhoto]
    /// Paths that RAWs have left, and that the library forgot.
    public var forgotten: [FileReference]

    /// The parameters are the properties of the same names.
    public init(
        results: [JobResult], cluster: String, answered: [Int32: Int64], highestPrecedence: Int64,
        removed: [RemovedPhoto] = [], forgotten: [FileReference] = []
    ) {
        self.forgotten = forgotten
        self.removed = removed
        self.results = results
        self.cluster = cluster
        self.answered = answered
        self.highestPrecedence = highestPrecedence
    }
}
