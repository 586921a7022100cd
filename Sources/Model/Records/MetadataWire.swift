internal import Digest
public import Manifests
internal import PictureFormat
internal import Wire

extension MetadataQuestions {
    /// The protobuf message `MetadataRequest`.
    public func encoded() -> [UInt8] { packed(wire) }

    /// Parses and validates the protobuf message `MetadataRequest`. Refuses more than `maxCount` questions.
    public init(record bytes: [UInt8]) throws(RecordError) {
        self = try unpacked(bytes, limit: RecordLimit.metadataQuestions, rawmill__v1__metadata_request__unpack) {
            (request) throws(RecordError) in
            var questions: [MetadataQuestion] = []
            _ = try inRange(request.n_questions, 0...Self.maxCount, "questions")
            for question in values(request.n_questions, request.questions) {
                questions.append(try known(question, "questions") { (question: MetadataQuestion) in question.wire })
            }
            return MetadataQuestions(questions)
        }
    }

    private func wire(_ arena: Arena) -> Rawmill__V1__MetadataRequest {
        var request = Rawmill__V1__MetadataRequest()
        rawmill__v1__metadata_request__init(&request)
        request.questions = arena.array(questions.map(\.wire))
        request.n_questions = questions.count
        return request
    }
}

extension MetadataQuestion {
    fileprivate var wire: Rawmill__V1__MetadataQuestion {
        switch self {
        case .identity: RAWMILL__V1__METADATA_QUESTION__METADATA_QUESTION_IDENTITY
        case .size: RAWMILL__V1__METADATA_QUESTION__METADATA_QUESTION_SIZE
        case .sidecar: RAWMILL__V1__METADATA_QUESTION__METADATA_QUESTION_SIDECAR
        case .picture: RAWMILL__V1__METADATA_QUESTION__METADATA_QUESTION_PICTURE
        }
    }
}

extension MetadataReply {
    /// The protobuf message `MetadataReply`.
    public func encoded() -> [UInt8] { packed(wire) }

    /// Parses and validates the protobuf message `MetadataReply`.
    public init(record bytes: [UInt8]) throws(RecordError) {
        self = try unpacked(bytes, limit: RecordLimit.metadataReply, rawmill__v1__metadata_reply__unpack) {
            (reply) throws(RecordError) in try MetadataReply(wire: reply)
        }
    }

    private func wire(_ arena: Arena) -> Rawmill__V1__MetadataReply {
        var reply = Rawmill__V1__MetadataReply()
        rawmill__v1__metadata_reply__init(&reply)
        switch self {
        case .identity(let identity):
            reply.reply_case = RAWMILL__V1__METADATA_REPLY__REPLY_IDENTITY
            reply.identity = arena.pointer(to: identity.wire(arena))
        case .size(let size):
            var photo = Rawmill__V1__PhotoSize()
            rawmill__v1__photo_size__init(&photo)
            photo.width = UInt32(clamping: size.width)
            photo.height = UInt32(clamping: size.height)
            reply.reply_case = RAWMILL__V1__METADATA_REPLY__REPLY_SIZE
            reply.size = arena.pointer(to: photo)
        case .sidecar(let packet):
            reply.reply_case = RAWMILL__V1__METADATA_REPLY__REPLY_SIDECAR
            reply.sidecar = arena.bytes(packet)
        case .picture(let digest):
            reply.reply_case = RAWMILL__V1__METADATA_REPLY__REPLY_PICTURE
            reply.picture = arena.bytes(digest.bytes)
        case .problem(let error):
            reply.reply_case = RAWMILL__V1__METADATA_REPLY__REPLY_PROBLEM
            reply.problem = arena.pointer(to: error.wire(arena))
        }
        return reply
    }

    private init(wire reply: Rawmill__V1__MetadataReply) throws(RecordError) {
        switch reply.reply_case {
        case RAWMILL__V1__METADATA_REPLY__REPLY_IDENTITY:
            self = .identity(try RenditionIdentity(wire: required(reply.identity, "identity")))
        case RAWMILL__V1__METADATA_REPLY__REPLY_SIZE:
            let size = try required(reply.size, "size")
            // A JPEG stores each in two bytes.
            let range: ClosedRange<UInt32> = 0...0xFFFF
            self = .size(
                PixelSize(
                    width: Int(try inRange(size.width, range, "size.width")),
                    height: Int(try inRange(size.height, range, "size.height"))))
        case RAWMILL__V1__METADATA_REPLY__REPLY_SIDECAR: self = .sidecar(reply.sidecar.array)
        case RAWMILL__V1__METADATA_REPLY__REPLY_PICTURE: self = .picture(try reply.picture.digest("picture"))
        case RAWMILL__V1__METADATA_REPLY__REPLY_PROBLEM:
            self = .problem(try XMPError(wire: required(reply.problem, "problem")))
        default: throw .newerWriter("the reply has an unknown kind")
        }
    }
}

/// Errors travel as numbers: a file may control the process, so none of its sentences reaches users.
extension XMPError {
    fileprivate func wire(_ arena: Arena) -> Rawmill__V1__MetadataProblem {
        var problem = Rawmill__V1__MetadataProblem()
        rawmill__v1__metadata_problem__init(&problem)
        switch self {
        case .unavailable: problem.kind = RAWMILL__V1__METADATA_PROBLEM_KIND__METADATA_PROBLEM_KIND_UNAVAILABLE
        case .tooLarge(let bytes, let limit):
            problem.kind = RAWMILL__V1__METADATA_PROBLEM_KIND__METADATA_PROBLEM_KIND_TOO_LARGE
            problem.bytes = Int64(bytes)
            problem.limit = Int64(limit)
        case .notUTF8: problem.kind = RAWMILL__V1__METADATA_PROBLEM_KIND__METADATA_PROBLEM_KIND_NOT_UTF8
        case .hasDocumentType: problem.kind = RAWMILL__V1__METADATA_PROBLEM_KIND__METADATA_PROBLEM_KIND_DOCUMENT_TYPE
        case .tooDeep(let limit):
            problem.kind = RAWMILL__V1__METADATA_PROBLEM_KIND__METADATA_PROBLEM_KIND_TOO_DEEP
            problem.limit = Int64(limit)
        case .broken(let code):
            problem.kind = RAWMILL__V1__METADATA_PROBLEM_KIND__METADATA_PROBLEM_KIND_BROKEN
            problem.code = Int64(code)
        case .notAPhoto: problem.kind = RAWMILL__V1__METADATA_PROBLEM_KIND__METADATA_PROBLEM_KIND_NOT_A_PHOTO
        case .noPacket: problem.kind = RAWMILL__V1__METADATA_PROBLEM_KIND__METADATA_PROBLEM_KIND_NO_PACKET
        case .notARendition: problem.kind = RAWMILL__V1__METADATA_PROBLEM_KIND__METADATA_PROBLEM_KIND_NOT_A_RENDITION
        case .badField(let name):
            problem.kind = RAWMILL__V1__METADATA_PROBLEM_KIND__METADATA_PROBLEM_KIND_BAD_FIELD
            problem.property = arena.text(name, limit: .max)
        }
        return problem
    }

    fileprivate init(wire problem: Rawmill__V1__MetadataProblem) throws(RecordError) {
        let (bytes, limit) = (Int(problem.bytes), Int(problem.limit))
        switch problem.kind {
        case RAWMILL__V1__METADATA_PROBLEM_KIND__METADATA_PROBLEM_KIND_UNAVAILABLE: self = .unavailable
        case RAWMILL__V1__METADATA_PROBLEM_KIND__METADATA_PROBLEM_KIND_TOO_LARGE:
            self = .tooLarge(bytes: bytes, limit: limit)
        case RAWMILL__V1__METADATA_PROBLEM_KIND__METADATA_PROBLEM_KIND_NOT_UTF8: self = .notUTF8
        case RAWMILL__V1__METADATA_PROBLEM_KIND__METADATA_PROBLEM_KIND_DOCUMENT_TYPE: self = .hasDocumentType
        case RAWMILL__V1__METADATA_PROBLEM_KIND__METADATA_PROBLEM_KIND_TOO_DEEP: self = .tooDeep(limit: limit)
        case RAWMILL__V1__METADATA_PROBLEM_KIND__METADATA_PROBLEM_KIND_BROKEN: self = .broken(code: Int(problem.code))
        case RAWMILL__V1__METADATA_PROBLEM_KIND__METADATA_PROBLEM_KIND_NOT_A_PHOTO: self = .notAPhoto
        case RAWMILL__V1__METADATA_PROBLEM_KIND__METADATA_PROBLEM_KIND_NO_PACKET: self = .noPacket
        case RAWMILL__V1__METADATA_PROBLEM_KIND__METADATA_PROBLEM_KIND_NOT_A_RENDITION: self = .notARendition
        case RAWMILL__V1__METADATA_PROBLEM_KIND__METADATA_PROBLEM_KIND_BAD_FIELD:
            self = .badField(name: try problem.property.propertyName("problem.property"))
        default: throw .newerWriter("problem.kind \(problem.kind.rawValue)")
        }
    }
}

extension ProtobufCBinaryData {
    /// The name of a property of Rawmill: a few letters and digits.
    fileprivate func propertyName(_ field: String) throws(RecordError) -> String {
        let name = try text(field)
        guard name.utf8.count <= 64, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
            throw .malformed("\(field) is not a valid property name")
        }
        return name
    }
}
