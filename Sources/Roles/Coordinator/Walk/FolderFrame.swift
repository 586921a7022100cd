internal import Jobs

/// A folder on the way from an area's own down to where the walk is.
final class FolderFrame {
    let path: [UInt8]
    let root: RootName
    /// Below the root; empty for the root itself.
    let relative: [UInt8]
    let identity: FolderIdentity
    let listing: Listing
    /// Names to submit, for an area that is not a tree.
    let selection: Set<[UInt8]>?
    /// Folders of the family just seen, to go into before the next family. In reverse.
    var folders: [[UInt8]] = []

    init(
        path: [UInt8], root: RootName, relative: [UInt8], identity: FolderIdentity, listing: Listing,
        selection: Set<[UInt8]>? = nil
    ) {
        self.path = path
        self.root = root
        self.relative = relative
        self.identity = identity
        self.listing = listing
        self.selection = selection
    }

    /// Nil for a path too long to be named.
    func file(_ name: [UInt8]) -> FileReference? {
        let path = relative.isEmpty ? RelativePath(bytes: name) : RelativePath(bytes: relative + [.slash] + name)
        return path.map { FileReference(root: root, path: $0) }
    }
}
