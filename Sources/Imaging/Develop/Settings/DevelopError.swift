/// A picture cannot be developed, because its facts contradict each other or a setting is invalid.
public struct DevelopError: Error, Equatable, CustomStringConvertible {
    /// The cause of the error.
    public enum Kind: Hashable, Sendable {
        /// The file's facts contradict each other: the file is damaged or was misread.
        case inconsistentFacts
        /// The sensor type is unsupported.
        case unsupportedLayout
        /// A setting is out of range.
        case settings
    }

    /// The cause of the error.
    public let kind: Kind
    /// A sentence for users, without the file's name.
    public let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
