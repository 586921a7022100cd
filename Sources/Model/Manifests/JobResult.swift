public import Digest
public import Jobs

/// The cataloguer's result for a job's manifest. The coordinator's ledger counts only these.
public struct JobResult: Hashable, Sendable {
    /// How the job ended, or why it did not.
    public enum Outcome: Hashable, Sendable {
        /// The library has every photo of the manifest.
        ///
        /// - asset: SHA-256 of the RAW.
        /// - degraded: why a photo cannot be trusted or a frame has none; nil for good photos.
        case catalogued(asset: SHA256Value, degraded: String?)
        /// The render failed, according to the manifest.
        case failed(Failure)
        /// The library refused the manifest's photos. The job is open again.
        case refused(Refusal)
    }

    /// The job.
    public let job: JobID
    /// The submission of the job.
    public let batch: BatchID
    /// The RAW.
    public let file: FileReference
    /// The job's fresh start that the manifest belongs to.
    public let round: UInt32
    /// The number of renders started.
    public let attempts: UInt32
    /// The worker's name.
    public let worker: String
    /// The end of the render by the worker's clock, in milliseconds since 1970.
    public let finishedMilliseconds: Int64
    /// The W3C trace context of the manifest.
    public let traceparent: String?
    /// How the job ended, or why it did not.
    public let outcome: Outcome
    /// The photos that the library already had, which were not developed.
    public let reused: UInt32
    /// Why the first frame without a photo failed, if the library has other frames; nil if every frame has a photo.
    public let frameFailure: FailureReason?
    /// The camera that the recipe's camera profiles lack, if they do.
    public let cameraWithoutProfile: String?

    /// Memberwise initializer.
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

    /// The result of a manifest; `refusal` says why the library refused a photo, nil if it has every photo.
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

/// Why the library refused a manifest's photo, or why a source is missing.
public struct Refusal: Hashable, Sendable, CustomStringConvertible {
    /// For programs: `missing-file`, `other-bytes`, …
    public let code: String
    /// For users: the problem and its remedy.
    public let message: String

    /// Memberwise initializer.
    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    /// The code for a source that a worker does not see although the coordinator does.
    public static let sourcePresent = "source-present"
    /// The code for a source that a worker does not see, in a root that the coordinator does not see either.
    public static let rootUnseen = "root-unseen"

    /// Whether a worker did not see the source; otherwise the library refused a photo.
    public var isAboutSource: Bool { code == Self.sourcePresent || code == Self.rootUnseen }

    /// `code: message`.
    public var description: String { "\(code): \(message)" }
}

/// A RAW and recipe whose photos a user removed from the library.
public struct RemovedPhoto: Hashable, Sendable {
    /// SHA-256 of the RAW's bytes.
    public let asset: SHA256Value
    /// The recipe's digest.
    public let recipe: SHA256Value

    /// Memberwise initializer.
    public init(asset: SHA256Value, recipe: SHA256Value) {
        self.asset = asset
        self.recipe = recipe
    }
}

/// A record of the results topic: the results of manifests that were merged together, and the cataloguer's position.
public struct JobResults: Hashable, Sendable {
    /// In the order of the manifests of each partition.
    public var results: [JobResult]
    /// The cluster of the manifests.
    public let cluster: String
    /// The offset, by partition of the manifests topic, below which every manifest has its result in this record or
    /// before.
    public let answered: [Int32: Int64]
    /// The highest precedence of any photo in the library; see ``Job/precedence``.
    public let highestPrecedence: Int64
    /// The photos that a user removed from the library.
    public var removed: [RemovedPhoto]
    /// Paths that RAWs have left and that the library forgot.
    public var forgotten: [FileReference]

    /// Memberwise initializer.
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
