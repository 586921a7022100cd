public import Digest
public import PictureFormat

/// What a metadata process replies to one question.
public enum MetadataReply: Hashable, Sendable {
    /// What a rendition says of itself. Nothing but the types of its properties is checked.
    case identity(RenditionIdentity)
    case size(PixelSize)
    /// A packet of XMP.
    case sidecar([UInt8])
    /// SHA-256 of a JPEG's tables and samples.
    case picture(SHA256Value)
    /// The file does not say what was asked.
    case problem(XMPError)

    /// True for a reply that the question may have.
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
