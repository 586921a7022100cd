internal import Digest
internal import Jobs
public import Manifests
internal import Wire

extension RenderAnswer {
    /// The protobuf message `RenderAnswer`.
    public func encoded() -> [UInt8] { packed(wire) }

    /// Parses and validates the protobuf message `RenderAnswer`.
    public init(record bytes: [UInt8]) throws(RecordError) {
        self = try unpacked(bytes, limit: RecordLimit.pipe, rawmill__v1__render_answer__unpack) {
            (answer) throws(RecordError) in try RenderAnswer(wire: answer)
        }
    }

    private func wire(_ arena: Arena) -> Rawmill__V1__RenderAnswer {
        var answer = Rawmill__V1__RenderAnswer()
        rawmill__v1__render_answer__init(&answer)
        switch self {
        case .frame(let asset, let hasKnownPhoto, let hasKnownPreview):
            var frame = Rawmill__V1__FrameAnswer()
            rawmill__v1__frame_answer__init(&frame)
            frame.asset = arena.bytes(asset.bytes)
            frame.has_known_photo = hasKnownPhoto ? 1 : 0
            frame.has_known_preview = hasKnownPreview ? 1 : 0
            answer.answer_case = RAWMILL__V1__RENDER_ANSWER__ANSWER_FRAME
            answer.frame = arena.pointer(to: frame)
        case .original(let isThere):
            answer.answer_case = RAWMILL__V1__RENDER_ANSWER__ANSWER_ORIGINAL_IS_THERE
            answer.original_is_there = isThere ? 1 : 0
        case .failed(let failure):
            answer.answer_case = RAWMILL__V1__RENDER_ANSWER__ANSWER_FAILED
            answer.failed = arena.pointer(to: failure.wire(arena))
        }
        return answer
    }

    private init(wire answer: Rawmill__V1__RenderAnswer) throws(RecordError) {
        switch answer.answer_case {
        case RAWMILL__V1__RENDER_ANSWER__ANSWER_FRAME:
            let frame = try required(answer.frame, "frame")
            self = .frame(
                asset: try frame.asset.digest("frame.asset"), hasKnownPhoto: frame.has_known_photo != 0,
                hasKnownPreview: frame.has_known_preview != 0)
        case RAWMILL__V1__RENDER_ANSWER__ANSWER_ORIGINAL_IS_THERE:
            self = .original(isThere: answer.original_is_there != 0)
        case RAWMILL__V1__RENDER_ANSWER__ANSWER_FAILED:
            self = .failed(try Failure(wire: required(answer.failed, "failed")))
        default: throw .newerWriter("the answer has an unknown kind")
        }
    }
}
