public import Digest
public import Manifests
public import PictureFormat
internal import RenderHost

/// What a metadata process answers to one question.
public enum MetadataAnswerMessage: Hashable, Sendable {
    /// See ``MetadataAnswer``.
    case identity(RenditionIdentity)
    case size(PixelSize)
    case sidecar([UInt8])
    case picture(SHA256Value)
    /// It does not say what was asked.
    case nothing(XMPError)

    /// An identity comes from one segment of a JPEG, which has less than 64 KiB, and its texts only get shorter when they
    /// are unescaped.
    static let limitBytes = 128 << 10

    /// As it goes over the channel.
    public func encoded() -> [UInt8] {
        var fields = FieldWriter()
        switch self {
        case .identity(let identity):
            fields.number(1)
            fields.identity(identity)
        case .size(let size):
            fields.number(2)
            fields.number(size.width)
            fields.number(size.height)
        case .nothing(let error):
            fields.number(3)
            fields.error(error)
        case .sidecar(let packet):
            fields.number(4)
            fields.blob(packet)
        case .picture(let digest):
            fields.number(5)
            fields.blob(digest.bytes)
        }
        return fields.bytes
    }

    /// - Throws: `InvalidAnswer` if the bytes are no answer, or none to this question.
    init(_ bytes: [UInt8], to question: MetadataQuestion) throws(InvalidAnswer) {
        var fields = FieldReader(bytes)
        switch (try fields.number(), question) {
        case (1, .identity): self = .identity(try fields.identity())
        case (2, .size):
            // The two bytes that a JPEG has for each.
            let (width, height) = (try fields.number(UInt16.self), try fields.number(UInt16.self))
            self = .size(PixelSize(width: Int(width), height: Int(height)))
        case (3, _): self = .nothing(try fields.error())
        case (4, .sidecar): self = .sidecar(try fields.blob())
        case (5, .picture):
            guard let digest = SHA256Value(bytes: try fields.blob()) else { throw InvalidAnswer() }
            self = .picture(digest)
        default: throw InvalidAnswer()
        }
        try fields.end()
    }

    /// For those who asked.
    var answer: MetadataAnswer {
        switch self {
        case .identity(let identity): .identity(identity)
        case .size(let size): .size(size)
        case .sidecar(let packet): .sidecar(packet)
        case .picture(let digest): .picture(digest)
        case .nothing(let error): .nothing("\(error)")
        }
    }
}
