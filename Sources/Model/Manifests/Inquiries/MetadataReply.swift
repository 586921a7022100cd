public import Digest
public import PictureFormat

/// A metadata process's reply to one question.
public enum MetadataReply: Hashable, Sendable {
    /// A rendition's identity. Only the types of its properties are checked.
    case identity(RenditionIdentity)
    case size(PixelSize)
    case sidecar([UInt8])
    /// SHA-256 of a JPEG's tables and samples.
    case picture(SHA256Value)
    /// The file does not contain the answer.
    case problem(XMPError)

    /// Whether the reply fits the question.
    public func answers(_ question: MetadataQuestion) -> Bool {
        switch self {
        case .identity: question == .identity
        case .size: question == .size
        case .sidecar: question == .sidecar
        case .picture: question == .picture
        case .problem: true
        }
    }
}
