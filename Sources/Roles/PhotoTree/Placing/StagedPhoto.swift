internal import Digest
internal import Jobs
internal import Storage

struct StagedPhoto: Sendable {
    let path: RelativePath
    let digest: SHA256Value
    let file: StagedFile
    let folder: OpenFolder

    /// Writes a photo for a name in a folder.
    ///
    /// - Parameter isRaw: true for the copy of a RAW.
    init(
        of object: RelativePath, _ digest: SHA256Value, isRaw: Bool, at path: RelativePath, in root: Root,
        for folder: OpenFolder
    ) throws(StorageError) {
        file =
            isRaw
            ? try StagedFile(linking: object.bytes, in: root, for: folder, at: path.bytes)
            : try StagedFile(copyOf: object.bytes, in: root, for: folder, at: path.bytes)
        self.path = path
        self.digest = digest
        self.folder = folder
    }
}

/// Opens the folders of names and keeps the last one open, because names come folder by folder.
struct LastFolder {
    private let root: Root
    private var folder: OpenFolder?

    init(_ root: Root) { self.root = root }

    mutating func open(above path: RelativePath) throws(StorageError) -> OpenFolder {
        let above = path.folder?.bytes ?? []
        if let folder, folder.path == above { return folder }
        let opened = try root.openFolder(above)
        folder = opened
        return opened
    }

    mutating func close() { folder = nil }
}
