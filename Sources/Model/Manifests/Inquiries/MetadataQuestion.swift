/// What is asked about a photo's file.
public enum MetadataQuestion: Hashable, Sendable, CaseIterable {
    /// What it says of itself as a rendition, in its XMP.
    case identity
    /// Its width and height.
    case size
    /// What people wrote about it, for a sidecar.
    case sidecar
    /// The hash of a JPEG's picture, without its metadata.
    case picture
}

/// The questions of one message. A file comes with each.
public struct MetadataQuestions: Hashable, Sendable {
    /// The most questions of one message.
    public static let maxCount = 32

    /// At most `maxCount`, in the order of the files.
    public let questions: [MetadataQuestion]

    /// - Parameter questions: at most `maxCount`.
    public init(_ questions: [MetadataQuestion]) { self.questions = questions }
}
