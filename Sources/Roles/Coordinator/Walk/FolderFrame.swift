internal import Jobs
internal import Storage

/// A folder on the path from a source folder to the walk's current folder.
final class FolderFrame {
    /// Absolute.
    let path: [UInt8]
    let root: RootName
    /// The folder's path below the root; empty for the root itself.
    let relative: [UInt8]
    /// Detects that the folder was replaced while the walk was further down.
    let id: FileID
    let listing: FolderListing
    /// The names to submit, for a source folder that is not a tree.
    let selection: Set<[UInt8]>?
    /// Subfolders of the family just read, in reverse order. The walk visits them before the next family.
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

    /// A file's name in messages; nil if its path is too long.
    func file(_ name: [UInt8]) -> FileReference? {
        let path = relative.isEmpty ? RelativePath(bytes: name) : RelativePath(bytes: relative + [.slash] + name)
        return path.map { FileReference(root: root, path: $0) }
    }
}
