package import Digest
package import Jobs

/// The expected content of a file in `photos/`.
package struct ShownPhoto: Hashable, Sendable {
    package let object: RelativePath
    /// SHA-256 of the object; nil if its row is lost.
    package let digest: SHA256Value?
    /// The file put there last; nil if unknown.
    package let placed: PlacedFile?
    /// True for a RAW's copy, which may be a hard link to its object.
    package let isRaw: Bool
}
