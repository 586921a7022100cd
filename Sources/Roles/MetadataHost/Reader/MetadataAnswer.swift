public import Digest
public import Manifests
public import PictureFormat

/// What a photo's file says.
public enum MetadataAnswer: Hashable, Sendable {
    case identity(RenditionIdentity)
    case size(PixelSize)
    /// A packet of XMP.
    case sidecar([UInt8])
    /// SHA-256 of its tables and samples.
    case picture(SHA256Value)
    /// It does not say what was asked, or cannot be opened; with a clause about it.
    case nothing(String)
    /// The process that read it did not live to answer, or gave no valid answer; with a clause about it. Asking again is of
    /// no use.
    case unread(String)

    /// What a metadata process replied.
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
