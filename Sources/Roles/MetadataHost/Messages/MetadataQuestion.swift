public import Digest
public import Manifests
public import PictureFormat

/// What is asked about a photo's file.
public enum MetadataQuestion: UInt8, Hashable, Sendable {
    /// What it says of itself as a rendition, in its XMP.
    case identity = 1
    /// Its width and height.
    case size = 2
    /// What people wrote about it, for a sidecar.
    case sidecar = 3
    /// The hash of a JPEG's picture, without its metadata.
    case picture = 4
}

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
}

/// The questions of one message. A file comes with each.
public enum MetadataRequestMessage {
    /// The most files that one message brings.
    public static let maxFiles = 32
    /// Of a message.
    public static let limitBytes = maxFiles

    static func encoded(_ questions: [MetadataQuestion]) -> [UInt8] { questions.map(\.rawValue) }

    /// Nil if it is no such message.
    public static func questions(_ bytes: [UInt8]) -> [MetadataQuestion]? {
        let questions = bytes.compactMap { MetadataQuestion(rawValue: $0) }
        return questions.count == bytes.count ? questions : nil
    }
}
