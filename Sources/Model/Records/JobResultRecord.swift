internal import Digest
internal import Jobs
public import Manifests
internal import Wire

extension JobResults {
    /// The records for the results topic, in order; one unless there are very many results. Only the last one has the
    /// cataloguer's position, so that a reader that has not read it yet does not take the others' manifests as
    /// answered.
    public func records() -> [[UInt8]] {
        var records: [[UInt8]] = []
        var some: [JobResult] = []
        var size = 0
        for result in results {
            if size + result.maxEncodedBytes > Self.maxResultBytes, !some.isEmpty {
                let part = JobResults(results: some, cluster: cluster, answered: [:], highestPrecedence: 0)
                records.append(part.encoded())
                (some, size) = ([], 0)
            }
            some.append(result)
            size += result.maxEncodedBytes
        }
        var last = self
        last.results = some
        return records + [last.encoded()]
    }

    /// Leaves room in a record for the offsets of a thousand partitions.
    private static let maxResultBytes = RecordLimit.record - 24 * 1024

    private func encoded() -> [UInt8] { packed(wire) }

    /// Parses and validates the protobuf message `JobResults`.
    public init(record bytes: [UInt8]) throws(RecordError) {
        self = try unpacked(bytes, limit: RecordLimit.record, rawmill__v1__job_results__unpack) {
            (results) throws(RecordError) in try JobResults(wire: results)
        }
    }

    private func wire(_ arena: Arena) -> Rawmill__V1__JobResults {
        var message = Rawmill__V1__JobResults()
        rawmill__v1__job_results__init(&message)
        message.results = arena.list(results.map { $0.wire(arena) })
        message.n_results = results.count
        message.cluster = arena.text(cluster, limit: RecordLimit.name)
        let offsets = answered.sorted { $0.key < $1.key }.map { partition, next in
            var offset = Rawmill__V1__PartitionOffset()
            rawmill__v1__partition_offset__init(&offset)
            offset.partition = partition
            offset.next = next
            return offset
        }
        message.answered = arena.list(offsets)
        message.n_answered = offsets.count
        message.highest_precedence = highestPrecedence
        let photos = removed.map { photo in
            var message = Rawmill__V1__RemovedPhoto()
            rawmill__v1__removed_photo__init(&message)
            message.asset = arena.bytes(photo.asset.bytes)
            message.recipe = arena.bytes(photo.recipe.bytes)
            return message
        }
        message.removed = arena.list(photos)
        message.n_removed = photos.count
        message.forgotten = arena.list(forgotten.map { $0.wire(arena) })
        message.n_forgotten = forgotten.count
        return message
    }

    private init(wire message: Rawmill__V1__JobResults) throws(RecordError) {
        var results: [JobResult] = []
        for result in list(message.n_results, message.results) { results.append(try JobResult(wire: result)) }
        var answered: [Int32: Int64] = [:]
        for offset in list(message.n_answered, message.answered) { answered[offset.partition] = offset.next }
        var removed: [RemovedPhoto] = []
        for photo in list(message.n_removed, message.removed) {
            removed.append(
                RemovedPhoto(asset: try photo.asset.digest("asset"), recipe: try photo.recipe.digest("recipe")))
        }
        var forgotten: [FileReference] = []
        for file in list(message.n_forgotten, message.forgotten) {
            forgotten.append(try FileReference(wire: file, "forgotten"))
        }
        guard let cluster = try message.cluster.optionalText("cluster") else { throw .malformed("cluster is missing") }
        self.init(
            results: results, cluster: cluster, answered: answered,
            highestPrecedence: message.highest_precedence, removed: removed, forgotten: forgotten)
    }
}

extension JobResult {
    /// An upper bound, so that many results fit into few records without being packed twice.
    fileprivate var maxEncodedBytes: Int {
        let text: Int
        switch outcome {
        case .catalogued(_, let degraded): text = degraded?.utf8.count ?? 0
        case .failed(let failure): text = failure.message.utf8.count
        case .refused(let refusal): text = refusal.message.utf8.count + refusal.code.utf8.count
        }
        // A NUL of a text becomes three bytes.
        return 256 + file.path.bytes.count + file.root.text.utf8.count + min(worker.utf8.count, RecordLimit.name)
            + min(3 * text, RecordLimit.message + RecordLimit.name)
            + min(traceparent?.utf8.count ?? 0, Self.maxTraceBytes)
            + min(3 * (cameraWithoutProfile?.utf8.count ?? 0), RecordLimit.name)
    }

    private static var maxTraceBytes: Int { 1024 }

    fileprivate func wire(_ arena: Arena) -> Rawmill__V1__JobResult {
        var result = Rawmill__V1__JobResult()
        rawmill__v1__job_result__init(&result)
        result.job_id = arena.bytes(job.digest.bytes)
        result.batch_id = arena.bytes(batch.bytes)
        result.file = arena.pointer(to: file.wire(arena))
        result.round = round
        result.attempts = attempts
        result.worker = arena.text(worker, limit: RecordLimit.name)
        result.finished_milliseconds = finishedMilliseconds
        result.traceparent = arena.text(traceparent ?? "", limit: Self.maxTraceBytes)
        switch outcome {
        case .catalogued(let asset, let degraded):
            var catalogued = Rawmill__V1__Catalogued()
            rawmill__v1__catalogued__init(&catalogued)
            catalogued.asset = arena.bytes(asset.bytes)
            catalogued.degraded = arena.text(degraded ?? "", limit: RecordLimit.message)
            result.outcome_case = RAWMILL__V1__JOB_RESULT__OUTCOME_CATALOGUED
            result.catalogued = arena.pointer(to: catalogued)
        case .failed(let failure):
            result.outcome_case = RAWMILL__V1__JOB_RESULT__OUTCOME_FAILED
            result.failed = arena.pointer(to: failure.wire(arena))
        case .refused(let refusal):
            result.outcome_case = RAWMILL__V1__JOB_RESULT__OUTCOME_REFUSED
            result.refused = arena.pointer(to: refusal.wire(arena))
        }
        result.reused = reused
        if let frameFailure { result.frame_failure = frameFailure.wire }
        result.camera_without_profile = arena.text(cameraWithoutProfile ?? "", limit: RecordLimit.name)
        return result
    }

    fileprivate init(wire result: Rawmill__V1__JobResult) throws(RecordError) {
        let outcome: Outcome
        switch result.outcome_case {
        case RAWMILL__V1__JOB_RESULT__OUTCOME_CATALOGUED:
            let catalogued = try required(result.catalogued, "catalogued")
            outcome = .catalogued(
                asset: try catalogued.asset.digest("asset"),
                degraded: try catalogued.degraded.optionalText("degraded"))
        case RAWMILL__V1__JOB_RESULT__OUTCOME_FAILED:
            outcome = .failed(try Failure(wire: required(result.failed, "failed")))
        case RAWMILL__V1__JOB_RESULT__OUTCOME_REFUSED:
            outcome = .refused(try Refusal(wire: required(result.refused, "refused")))
        default: throw .newerWriter("a job is neither catalogued nor failed nor refused")
        }
        self.init(
            job: JobID(digest: try result.job_id.digest("job_id")), batch: try result.batch_id.batch("batch_id"),
            file: try FileReference(wire: required(result.file, "file"), "file"), round: result.round,
            attempts: result.attempts, worker: try result.worker.text("worker"),
            finishedMilliseconds: result.finished_milliseconds,
            traceparent: try result.traceparent.optionalText("traceparent"), outcome: outcome,
            reused: result.reused, frameFailure: FailureReason(ofFrame: result.frame_failure),
            cameraWithoutProfile: try result.camera_without_profile.optionalText("camera_without_profile"))
    }
}

extension FailureReason {
    /// Nil for 0. A reason of a later version counts as `internal`: the job's result does not depend on it.
    fileprivate init?(ofFrame code: Rawmill__V1__FailureReason) {
        if code.rawValue == 0 { return nil }
        self = FailureReason.allCases.first { $0.wire == code } ?? .internalError
    }
}

extension Refusal {
    func wire(_ arena: Arena) -> Rawmill__V1__Refusal {
        var refusal = Rawmill__V1__Refusal()
        rawmill__v1__refusal__init(&refusal)
        refusal.code = arena.text(code, limit: RecordLimit.name)
        refusal.message = arena.text(message, limit: RecordLimit.message)
        return refusal
    }

    init(wire refusal: Rawmill__V1__Refusal) throws(RecordError) {
        self.init(code: try refusal.code.text("refusal.code"), message: try refusal.message.text("refusal.message"))
    }
}
