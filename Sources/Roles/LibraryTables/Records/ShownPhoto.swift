package import Digest
package import Jobs

/// What a file below `photos/` should show.
package struct ShownPhoto: Hashable, Sendable {
    package let object: RelativePath
    /// SHA-256 of the object; nil if its row is lost.
    package let digest: SHA256Value?
    /// What was put there last; nil if unknown.
    package let placed: PlacedFile?
    /// Whether it is a RAW's copy, which may be a hard link to its object.
    package let isRaw: Bool
}
