/// Files of a batch that need attention for the same kind of reason: their number, and the first ones by name.
public struct FileGroup: Hashable, Sendable {
    /// Why a file needs attention. The raw value is stored in databases and appears in JSON.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case failed
        /// Photos whose colours cannot be trusted, or some of whose frames failed.
        case degraded
        /// Photos of cameras that the order's camera profiles lack.
        case withoutProfile = "without-profile"
        /// Open jobs whose photo the library refused.
        case refused
        /// Open jobs whose RAW a worker does not see.
        case unseen
        /// Sources that do not exist.
        case missing
        /// Files and folders that could not be examined.
        case unreadable
        /// Links that were not followed.
        case link
        /// Files without the name of a RAW.
        case notRaw = "not-raw"
    }

    /// Why the files need attention.
    public let kind: Kind
    /// The number of files.
    public let total: Int
    /// The first files.
    public let files: [NamedFile]

    /// Memberwise initializer.
    public init(kind: Kind, total: Int, files: [NamedFile]) {
        self.kind = kind
        self.total = total
        self.files = files
    }
}

/// A file, and a message about it.
public struct NamedFile: Hashable, Sendable {
    /// `ROOT/PATH`, or an absolute path on the coordinator's machine for a file outside all roots.
    public let source: [UInt8]
    /// A sentence for users.
    public let message: String

    /// Memberwise initializer.
    public init(source: [UInt8], message: String) {
        self.source = source
        self.message = message
    }
}
