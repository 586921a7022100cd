public import Digest
public import Manifests
public import PictureFormat

/// The metadata of a photo's file.
public enum MetadataAnswer: Hashable, Sendable {
    case identity(RenditionIdentity)
    case size(PixelSize)
    /// An XMP packet.
    case sidecar([UInt8])
    /// SHA-256 of the JPEG's tables and samples.
    case picture(SHA256Value)
    /// The file lacks the metadata or cannot be opened. Carries the reason, as a clause.
    case nothing(String)
    /// The process failed on the file. Carries the reason, as a clause. Asking again is useless.
    case unread(String)

    init(_ reply: MetadataReply) {
        self =
            switch reply {
            case .identity(let identity): .identity(identity)
            case .size(let size): .size(size)
            case .sidecar(let packet): .sidecar(packet)
            case .picture(let digest): .picture(digest)
            case .problem(let error): .nothing("\(error)")
            }
    }
}
