/// Files of a batch that a person should know of, all for the same kind of reason: how many there are, and the first of
/// them by name.
public struct FileGroup: Hashable, Sendable {
    /// Why a person should know of a file. The raw value is stored in databases and stands in JSON.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Jobs that failed.
        case failed
        /// Photos whose colours cannot be trusted, or some of whose frames failed.
        case degraded
        /// Photos of cameras of which the order has no camera profile.
        case withoutProfile = "without-profile"
        /// Open jobs whose photo the library refused.
        case refused
        /// Open jobs whose RAW a worker does not see.
        case unseen
        /// Sources that are not there.
        case missing
        /// Files and folders that could not be examined.
        case unreadable
        /// Links that were not followed.
        case link
        /// Files that are not named like RAWs.
        case notRaw = "not-raw"
    }

    /// Why a person should know of them.
    public let kind: Kind
    /// How many there are.
    public let total: Int
    /// The first of them.
    public let files: [NamedFile]

    /// - Parameters:
    ///   - kind: why a person should know of them.
    ///   - total: how many there are.
    ///   - files: the first of them.
    public init(kind: Kind, total: Int, files: [NamedFile]) {
        self.kind = kind
        self.total = total
        self.files = files
    }
}

/// A file, and what a person should know of it.
public struct NamedFile: Hashable, Sendable {
    /// `ROOT/PATH`, or an absolute path of the coordinator's machine for what is in no root.
    public let source: [UInt8]
    /// A sentence for people.
    public let message: String

    /// - Parameters:
    ///   - source: `ROOT/PATH`, or an absolute path.
    ///   - message: a sentence for people.
    public init(source: [UInt8], message: String) {
        self.source = source
        self.message = message
    }
}
