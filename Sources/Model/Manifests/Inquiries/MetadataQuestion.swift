/// A question about a photo's file.
public enum MetadataQuestion: Hashable, Sendable, CaseIterable {
    /// The rendition's identity, in its XMP.
    case identity
    case size
    /// The user's metadata, for a sidecar.
    case sidecar
    /// The hash of a JPEG's picture, without its metadata.
    case picture
}

/// The questions of one message. A file comes with each.
public struct MetadataQuestions: Hashable, Sendable {
    /// The maximum number of questions of one message.
    public static let maxCount = 32

    /// At most `maxCount`, in the order of the files.
    public let questions: [MetadataQuestion]

    /// Memberwise initializer.
    public init(_ questions: [MetadataQuestion]) { self.questions = questions }
}
