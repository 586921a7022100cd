/// Why a picture cannot be developed: its facts contradict each other, or a setting makes no sense.
public struct DevelopError: Error, Equatable, CustomStringConvertible {
    /// What is at fault.
    public enum Kind: Hashable, Sendable {
        /// The file's own facts contradict each other: the file is damaged, or was misread.
        case inconsistentFacts
        /// The sensor is of a kind that this module does not develop.
        case unsupportedLayout
        /// A setting is out of its range.
        case settings
    }

    /// What is at fault.
    public let kind: Kind
    /// A sentence for users, without the file's name.
    public let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
