import Database
import Digest
import Jobs
import Manifests
import PictureFormat
import Testing

@testable import Coordinator

/// Values for tests.
enum Example {
    static let look = LookReference(name: "neutral", version: 1, digest: SHA256Value(of: Array("neutral".utf8)))!
    static let recipe = Recipe(look: look)
    static let otherRecipe = Recipe(look: look, exposureStops: 1)
    static let root = RootName("archive")!

    static func file(_ path: String) -> FileReference { FileReference(root: root, path: RelativePath(path)!) }

    static func source(
        _ path: String, size: UInt64 = 1, modified: Int64 = 1, sidecar: Int64? = nil, companion: Int64? = nil
    ) -> Source {
        func beside(_ suffix: String, _ modified: Int64?) -> FileStamp? {
            modified.map { FileStamp(file: file(path + suffix), sizeBytes: 9, modifiedNanoseconds: $0) }
        }
        return Source(
            raw: FileStamp(file: file(path), sizeBytes: size, modifiedNanoseconds: modified),
            sidecar: beside(".xmp", sidecar), companion: beside(".jpg", companion),
            photoBase: Array(path.utf8).base.map { $0 })
    }

    static func candidate(_ source: Source, _ recipe: Recipe = recipe, unreadable: String? = nil) -> Candidate {
        Candidate(FoundSource(source: source, unreadable: unreadable), recipe: recipe.id)
    }

    static func submission(_ recipe: Recipe = recipe, lane: Lane = .bulk, traceparent: String? = nil) -> Submission {
        Submission(recipe: recipe, lane: lane, traceparent: traceparent, submittedMilliseconds: 1)
    }

    /// - Parameter camera: the camera, if the recipe has no profile for it.
    static func completed(
        degraded: String? = nil, recipe: Recipe = recipe, withoutProfile camera: String? = nil
    ) -> Manifest.Outcome {
        let digest = SHA256Value(of: [1])
        let file = ProducedFile(
            path: RelativePath("objects/x.jpg")!, digest: digest, sizeBytes: 1, size: PixelSize(width: 4, height: 3))
        return .completed([
            Rendition(
                asset: digest, frame: 0, recipe: recipe, engine: 1, photo: file, preview: file,
                original: source("a.CR2").raw,
                facts: PhotoFacts(make: "Canon", model: camera ?? "", degraded: degraded), photoBase: [0x61],
                lacksProfile: camera != nil)
        ])
    }

    /// One frame became a photo, the next one did not.
    static func partlyCompleted() -> Manifest.Outcome {
        guard case .completed(let frames) = completed() else { return failed() }
        let failure = FrameFailure(frame: 1, failure: Failure(.corrupt, "It is cut."))
        return .completed(RenderedFrames(frames.renditions, failures: [failure]))
    }

    static func failed(_ reason: FailureReason = .corrupt) -> Manifest.Outcome {
        .failed(Failure(reason, "It is \(reason.rawValue).", signal: reason == .decoderCrashed ? 11 : nil))
    }

    static func manifest(
        _ job: Job, _ outcome: Manifest.Outcome, round: UInt32? = nil, finished: Int64 = 1
    ) -> Manifest {
        let job = Job(
            batch: job.batch, round: round ?? job.round, source: job.source, recipe: job.recipe, lane: job.lane,
            originals: job.originals)
        return Manifest(ending: job, attempts: 1, worker: "test", finishedMilliseconds: finished, outcome: outcome)
    }
}

extension Example {
    /// The cataloguer's result for the manifest that `manifest` makes.
    static func result(
        _ job: Job, _ outcome: Manifest.Outcome, round: UInt32? = nil, refusal: Refusal? = nil
    ) -> JobResult {
        JobResult(of: manifest(job, outcome, round: round), refusal: refusal)
    }

    static let refusal = Refusal(code: "missing-file", message: "It is not there.")
    static let refusalDelays: [Duration] = [.seconds(10), .seconds(100)]
}

extension LedgerStore {
    /// Applies the cataloguer's results.
    func end(_ results: [JobResult], next: [Int32: Int64] = [:], now: Int64 = 1000) throws -> [ResultEffect] {
        let record = JobResults(results: results, cluster: "test", answered: [:], highestPrecedence: 0)
        return try self.results.merge([record], next: next, refusalDelays: Example.refusalDelays, now: now)
    }

    /// A ledger that knows the root of the examples.
    static func fresh(in folder: TemporaryFolder, isOnServer: Bool = TestLedger.isOnServer) throws -> LedgerStore {
        let store = try LedgerStore(at: TestLedger.location(in: folder, isOnServer: isOnServer))
        try store.roots.register(RootMap([RegisteredRoot(name: Example.root, path: Array("/archive".utf8))]))
        return store
    }

    /// Marks everything as sent, and returns it.
    @discardableResult
    func sendAll() throws -> [Job] {
        var jobs: [Job] = []
        while true {
            let entries = try outbox.next(limit: 7)
            if entries.isEmpty { return jobs }
            try outbox.markSent(entries)
            jobs += entries.map(\.job)
        }
    }
}

extension JobIntake {
    /// Accepts files of these paths.
    @discardableResult
    func accept(_ paths: [String], for submission: Submission = Example.submission()) throws -> [PlanEntry] {
        try accept(paths.map { Example.candidate(Example.source($0), submission.recipe) }, for: submission)
    }
}

/// The states of all jobs in a ledger.
func jobStates(in ledger: LedgerLocation) throws -> [JobID: JobState] {
    Dictionary(
        uniqueKeysWithValues: try ledger.connection().all("SELECT id, state FROM jobs") { row in
            let digest = try #require(SHA256Value(bytes: row.blob(0)))
            return (JobID(digest: digest), try #require(JobState(rawValue: Int(row.integer(1)))))
        })
}
