import Database
import Digest
import Jobs
import Manifests
import PictureFormat

@testable import Coordinator

/// Values for tests, made with few words.
enum Make {
    static let look = LookReference(name: "neutral", version: 1, digest: SHA256Value(of: Array("neutral".utf8)))!
    static let recipe = Recipe(look: look)
    static let otherRecipe = Recipe(look: look, quality: 80)
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

    static func completed(degraded: String? = nil, recipe: Recipe = recipe) -> Manifest.Outcome {
        let digest = SHA256Value(of: [1])
        let file = ProducedFile(
            path: RelativePath("objects/x.jpg")!, digest: digest, sizeBytes: 1, size: PixelSize(width: 4, height: 3))
        return .completed([
            Rendition(
                asset: digest, frame: 0, recipe: recipe, engine: 1, photo: file, preview: file,
                original: source("a.CR2").raw, degraded: degraded, make: "", model: "", photoBase: [0x61])
        ])
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

extension LedgerStore {
    /// A ledger that knows the test's root.
    static func fresh(in folder: TemporaryFolder) throws -> LedgerStore {
        let store = try LedgerStore(path: folder.path + "/ledger.sqlite")
        try store.register(RootMap([RegisteredRoot(name: Make.root, path: Array("/archive".utf8))]))
        return store
    }

    /// Accepts files named so, as they are now.
    @discardableResult
    func accept(_ paths: [String], for submission: Submission = Make.submission()) throws -> [PlanEntry] {
        try accept(paths.map { Make.candidate(Make.source($0), submission.recipe) }, for: submission)
    }

    /// Sends everything, and answers it.
    @discardableResult
    func sendAll() throws -> [Job] {
        var jobs: [Job] = []
        while true {
            let entries = try outbox(limit: 7)
            if entries.isEmpty { return jobs }
            try markPublished(entries)
            jobs += entries.map(\.job)
        }
    }

    func states() throws -> [JobID: JobState] {
        Dictionary(
            uniqueKeysWithValues: try connection.all("SELECT id, state FROM jobs") { row in
                (try jobID(row.blob(0)), JobState(rawValue: Int(row.integer(1)))!)
            })
    }
}
