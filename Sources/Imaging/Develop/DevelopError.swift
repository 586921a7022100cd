/// Why a picture cannot be developed: its facts contradict themselves, or a setting makes no sense.
public struct DevelopError: Error, Equatable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// The file's own facts do not fit together: the file is damaged, or was misread.
        case inconsistentFacts
        /// A sensor of a kind that is not developed here.
        case unsupportedLayout
        /// A setting out of its range.
        case settings
    }

    public let kind: Kind
    /// A sentence for people, without the file's name.
    public let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
