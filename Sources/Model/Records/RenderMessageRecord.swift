internal import Digest
internal import Jobs
public import Manifests
internal import Wire

extension RenderMessage {
    /// The protobuf message `RenderMessage`.
    public func encoded() -> [UInt8] { packed(wire) }

    /// Parses and validates the protobuf message `RenderMessage`.
    public init(record bytes: [UInt8]) throws(RecordError) {
        self = try unpacked(bytes, limit: RecordLimit.pipe, rawmill__v1__render_message__unpack) {
            (message) throws(RecordError) in try RenderMessage(wire: message)
        }
    }

    private func wire(_ arena: Arena) -> Rawmill__V1__RenderMessage {
        var message = Rawmill__V1__RenderMessage()
        rawmill__v1__render_message__init(&message)
        switch self {
        case .reply(let reply):
            message.message_case = RAWMILL__V1__RENDER_MESSAGE__MESSAGE_REPLY
            message.reply = arena.pointer(to: reply.wire(arena))
        case .frame(let question):
            message.message_case = RAWMILL__V1__RENDER_MESSAGE__MESSAGE_FRAME
            message.frame = arena.pointer(to: question.wire(arena))
        case .original(let stamp):
            message.message_case = RAWMILL__V1__RENDER_MESSAGE__MESSAGE_ORIGINAL
            message.original = arena.pointer(to: stamp.wire(arena))
        case .cameraPicture(let failure):
            var reply = Rawmill__V1__CameraPictureReply()
            rawmill__v1__camera_picture_reply__init(&reply)
            reply.failed = arena.pointer(to: failure?.wire(arena))
            message.message_case = RAWMILL__V1__RENDER_MESSAGE__MESSAGE_CAMERA_PICTURE
            message.camera_picture = arena.pointer(to: reply)
        }
        return message
    }

    private init(wire message: Rawmill__V1__RenderMessage) throws(RecordError) {
        switch message.message_case {
        case RAWMILL__V1__RENDER_MESSAGE__MESSAGE_REPLY:
            self = .reply(try RenderReply(wire: required(message.reply, "reply")))
        case RAWMILL__V1__RENDER_MESSAGE__MESSAGE_FRAME:
            self = .frame(try FrameQuestion(wire: required(message.frame, "frame")))
        case RAWMILL__V1__RENDER_MESSAGE__MESSAGE_ORIGINAL:
            self = .original(try FileStamp(wire: required(message.original, "original"), "original"))
        case RAWMILL__V1__RENDER_MESSAGE__MESSAGE_CAMERA_PICTURE:
            let reply = try required(message.camera_picture, "camera_picture")
            self = .cameraPicture(
                try reply.failed.map { failed throws(RecordError) in try Failure(wire: failed.pointee) })
        default: throw .newerWriter("the message has an unknown kind")
        }
    }
}

extension RenderReply {
    fileprivate func wire(_ arena: Arena) -> Rawmill__V1__RenderReply {
        var reply = Rawmill__V1__RenderReply()
        rawmill__v1__render_reply__init(&reply)
        reply.job_id = arena.bytes(job.digest.bytes)
        reply.timings = arena.list(timings.map { $0.wire(arena) })
        reply.n_timings = timings.count
        reply.peak_resident_bytes = peakResidentBytes
        reply.outputs = arena.list(outputs.map { $0.wire(arena) })
        reply.n_outputs = outputs.count
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

    fileprivate init(wire reply: Rawmill__V1__RenderReply) throws(RecordError) {
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
            peakResidentBytes: reply.peak_resident_bytes,
            outputs: try FrameOutput.list(reply.n_outputs, reply.outputs))
    }
}

extension FrameQuestion {
    fileprivate func wire(_ arena: Arena) -> Rawmill__V1__FrameQuestion {
        var question = Rawmill__V1__FrameQuestion()
        rawmill__v1__frame_question__init(&question)
        question.frame = frame
        question.finished = arena.list(finished.map { $0.wire(arena) })
        question.n_finished = finished.count
        return question
    }

    fileprivate init(wire question: Rawmill__V1__FrameQuestion) throws(RecordError) {
        self.init(frame: question.frame, finished: try FrameOutput.list(question.n_finished, question.finished))
    }
}

extension FrameOutput {
    fileprivate func wire(_ arena: Arena) -> Rawmill__V1__FrameOutput {
        var output = Rawmill__V1__FrameOutput()
        rawmill__v1__frame_output__init(&output)
        output.frame = frame
        output.photo = arena.pointer(to: photo?.wire(arena))
        output.preview = arena.pointer(to: preview?.wire(arena))
        output.replaces_photo = replacesPhoto ? 1 : 0
        return output
    }

    fileprivate static func list(
        _ count: Int, _ outputs: UnsafeMutablePointer<UnsafeMutablePointer<Rawmill__V1__FrameOutput>?>?
    ) throws(RecordError) -> [FrameOutput] {
        var all: [FrameOutput] = []
        for output in Records.list(count, outputs) {
            all.append(
                FrameOutput(
                    frame: output.frame, photo: try WrittenFile.optional(output.photo),
                    preview: try WrittenFile.optional(output.preview), replacesPhoto: output.replaces_photo != 0))
        }
        return all
    }
}

extension WrittenFile {
    fileprivate func wire(_ arena: Arena) -> Rawmill__V1__WrittenFile {
        var file = Rawmill__V1__WrittenFile()
        rawmill__v1__written_file__init(&file)
        file.digest = arena.bytes(digest.bytes)
        file.size_bytes = sizeBytes
        return file
    }

    fileprivate static func optional(
        _ file: UnsafeMutablePointer<Rawmill__V1__WrittenFile>?
    ) throws(RecordError) -> WrittenFile? {
        guard let file = file?.pointee else { return nil }
        return WrittenFile(digest: try file.digest.digest("outputs.digest"), sizeBytes: file.size_bytes)
    }
}
