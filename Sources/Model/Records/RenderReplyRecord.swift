internal import Digest
internal import Jobs
public import Manifests
internal import Wire

extension RenderReply {
    /// The record's bytes.
    public func encoded() -> [UInt8] { packed(wire) }

    /// Parses and validates a record.
    ///
    /// - Parameter bytes: protobuf of `RenderReply` in `rawmill.proto`.
    /// - Throws: `RecordError`.
    public init(record bytes: [UInt8]) throws(RecordError) {
        self = try unpacked(bytes, limit: RecordLimit.pipe, rawmill__v1__render_reply__unpack) {
            (reply) throws(RecordError) in try RenderReply(wire: reply)
        }
    }

    private func wire(_ arena: Arena) -> Rawmill__V1__RenderReply {
        var reply = Rawmill__V1__RenderReply()
        rawmill__v1__render_reply__init(&reply)
        reply.job_id = arena.bytes(job.digest.bytes)
        reply.timings = arena.list(timings.map { $0.wire(arena) })
        reply.n_timings = timings.count
        reply.peak_resident_bytes = peakResidentBytes
        switch outcome {
        case .completed(let frames):
            reply.outcome_case = RAWMILL__V1__RENDER_REPLY__OUTCOME_COMPLETED
            reply.completed = arena.pointer(to: frames.wire(arena))
        case .failed(let failure):
            reply.outcome_case = RAWMILL__V1__RENDER_REPLY__OUTCOME_FAILED
            reply.failed = arena.pointer(to: failure.wire(arena))
        }
        return reply
    }

    private init(wire reply: Rawmill__V1__RenderReply) throws(RecordError) {
        let outcome: Manifest.Outcome
        switch reply.outcome_case {
        case RAWMILL__V1__RENDER_REPLY__OUTCOME_COMPLETED:
            outcome = .completed(try RenderedFrames(wire: required(reply.completed, "completed")))
        case RAWMILL__V1__RENDER_REPLY__OUTCOME_FAILED:
            outcome = .failed(try Failure(wire: required(reply.failed, "failed")))
        default: throw .newerWriter("the outcome is neither completed nor failed")
        }
        self.init(
            job: JobID(digest: try reply.job_id.digest("job_id")), outcome: outcome,
            timings: try StageTiming.list(reply.n_timings, reply.timings),
            peakResidentBytes: reply.peak_resident_bytes)
    }
}
