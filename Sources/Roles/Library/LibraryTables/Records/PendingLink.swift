internal import Digest
internal import Jobs

/// A name below `photos/` that has to follow its row.
struct PendingLink: Hashable, Sendable {
    let path: RelativePath
    /// The object to show; nil if no row has the name any more.
    let object: RelativePath?
    /// SHA-256 of the object; nil if there is none.
    let digest: SHA256Value?
    /// True for the copy of a RAW.
    let isRaw: Bool
}
