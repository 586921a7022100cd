package import Digest
package import Jobs

/// A name in `photos/` whose file must be updated after its row.
package struct PendingLink: Hashable, Sendable {
    package let path: RelativePath
    /// The object to show; nil if no row has the name.
    package let object: RelativePath?
    package let digest: SHA256Value?
    package let isRaw: Bool

    package init(path: RelativePath, object: RelativePath?, digest: SHA256Value?, isRaw: Bool) {
        self.path = path
        self.object = object
        self.digest = digest
        self.isRaw = isRaw
    }
}
