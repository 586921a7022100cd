internal import Digest
internal import Jobs
public import Manifests
internal import Wire

extension Manifest {
    /// The protobuf message `Manifest`.
    public func encoded() -> [UInt8] { packed(wire) }

    /// Parses and validates the protobuf message `Manifest`.
    public init(record bytes: [UInt8]) throws(RecordError) {
        self = try unpacked(bytes, limit: RecordLimit.record, rawmill__v1__manifest__unpack) {
            (manifest) throws(RecordError) in try Manifest(wire: manifest)
        }
    }

    private func wire(_ arena: Arena) -> Rawmill__V1__Manifest {
        var manifest = Rawmill__V1__Manifest()
        rawmill__v1__manifest__init(&manifest)
        manifest.job_id = arena.bytes(job.digest.bytes)
        manifest.batch_id = arena.bytes(batch.bytes)
        manifest.round = round
        manifest.source = arena.pointer(to: source.wire(arena))
        manifest.recipe = arena.pointer(to: recipe.wire(arena))
        manifest.originals = originals.wire
        manifest.attempts = attempts
        manifest.worker = arena.text(worker, limit: RecordLimit.name)
        manifest.finished_milliseconds = finishedMilliseconds
        manifest.precedence = precedence
        manifest.held = isHeld ? 1 : 0
        switch outcome {
        case .completed(let frames):
            manifest.outcome_case = RAWMILL__V1__MANIFEST__OUTCOME_COMPLETED
            manifest.completed = arena.pointer(to: frames.wire(arena))
        case .failed(let failure):
            manifest.outcome_case = RAWMILL__V1__MANIFEST__OUTCOME_FAILED
            manifest.failed = arena.pointer(to: failure.wire(arena))
        }
        return manifest
    }

    private init(wire manifest: Rawmill__V1__Manifest) throws(RecordError) {
        let outcome: Outcome
        switch manifest.outcome_case {
        case RAWMILL__V1__MANIFEST__OUTCOME_COMPLETED:
            outcome = .completed(try RenderedFrames(wire: required(manifest.completed, "completed")))
        case RAWMILL__V1__MANIFEST__OUTCOME_FAILED:
            outcome = .failed(try Failure(wire: required(manifest.failed, "failed")))
        default: throw .newerWriter("the outcome is neither completed nor failed")
        }
        self.init(
            job: JobID(digest: try manifest.job_id.digest("job_id")),
            batch: try manifest.batch_id.batch("batch_id"), round: manifest.round,
            source: try Source(wire: required(manifest.source, "source")),
            recipe: try Recipe(wire: required(manifest.recipe, "recipe")),
            originals: try known(manifest.originals, "originals") { (policy: OriginalsPolicy) in policy.wire },
            attempts: manifest.attempts, worker: try manifest.worker.text("worker"),
            finishedMilliseconds: manifest.finished_milliseconds, precedence: manifest.precedence,
            isHeld: manifest.held != 0, outcome: outcome)
        try job.check(equals: JobID(source: source.fingerprint, recipe: recipe.id))
    }
}
