internal import Jobs
internal import Storage

/// One folder on the path from a source folder down to where the walk is.
final class FolderFrame {
    /// Absolute.
    let path: [UInt8]
    /// The root that the folder's files are named relative to.
    let root: RootName
    /// The folder's path below the root; empty for the root itself.
    let relative: [UInt8]
    /// Tells whether the folder was replaced by another while the walk was further down.
    let id: FileID
    let listing: FolderListing
    /// The names to submit, for a source folder that is not a tree.
    let selection: Set<[UInt8]>?
    /// Sub-folders of the family just read, which the walk visits before the next family. In reverse order.
    var folders: [[UInt8]] = []

    init(
        path: [UInt8], root: RootName, relative: [UInt8], id: FileID, listing: FolderListing,
        selection: Set<[UInt8]>? = nil
    ) {
        self.path = path
        self.root = root
        self.relative = relative
        self.id = id
        self.listing = listing
        self.selection = selection
    }

    /// The name of a file as messages use it; nil if its path is too long.
    func file(_ name: [UInt8]) -> FileReference? {
        let path = relative.isEmpty ? RelativePath(bytes: name) : RelativePath(bytes: relative + [.slash] + name)
        return path.map { FileReference(root: root, path: $0) }
    }
}
