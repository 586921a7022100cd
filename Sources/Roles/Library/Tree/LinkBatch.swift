internal import Digest
internal import Jobs
internal import Manifests
internal import Storage

/// Makes and removes links in many folders, and makes them durable once for each folder instead of once for each file.
struct LinkBatch {
    private let root: Root
    /// Folders that have changed since the last `sync`.
    private var changed: Set<[UInt8]> = []
    /// The folder of the last link, because links come folder by folder.
    private var lastFolder: OpenFolder?
    /// True if the file system has no hard links: files are copied then.
    private var copiesFiles: Bool

    init(root: Root, copiesFiles: Bool = false) {
        self.root = root
        self.copiesFiles = copiesFiles
    }

    /// Makes the path a link to the object, in the place of any file that has it.
    mutating func link(_ object: RelativePath, at path: RelativePath) throws {
        let folder = path.folder?.bytes ?? []
        if !copiesFiles {
            do throws(StorageError) {
                let target = try openFolder(folder)
                _ = try root.link(object.bytes, at: path.bytes, in: target, existing: .replace)
                return
            } catch {
                guard Self.meansNoHardLinks(error.kind) else { throw error }
                copiesFiles = true
            }
        }
        try copy(object, at: path)
    }

    private mutating func openFolder(_ folder: [UInt8]) throws(StorageError) -> OpenFolder {
        if let lastFolder, lastFolder.path == folder { return lastFolder }
        let opened = try root.openFolder(folder)
        changed.insert(folder)
        lastFolder = opened
        return opened
    }

    /// Removes the file, and the folders that are empty without it.
    mutating func remove(_ path: RelativePath) throws {
        try root.remove(path.bytes)
        lastFolder = nil
        var above = path.folder
        while let folder = above, folder.bytes != Array(LibraryLayout.photos.utf8) {
            changed.remove(folder.bytes)
            guard try removeIfEmpty(folder.bytes) else {
                changed.insert(folder.bytes)
                return
            }
            above = folder.folder
        }
        if let above { changed.insert(above.bytes) }
    }

    /// Returns when all changes survive a power cut.
    mutating func sync() throws {
        for folder in changed where try root.factsIfPresent(of: folder) != nil { try root.syncFolder(folder) }
        changed.removeAll()
    }

    private func removeIfEmpty(_ folder: [UInt8]) throws -> Bool {
        do {
            try root.removeFolder(folder)
            return true
        } catch {
            guard error.kind == .exists else { throw error }
            return false
        }
    }

    private func copy(_ object: RelativePath, at path: RelativePath) throws {
        let digest = try root.digest(of: object.bytes).digest
        _ = try root.publishCopy(of: object.bytes, in: root, digest: digest, at: path.bytes, existing: .replace)
    }

    /// EPERM, EOPNOTSUPP, EMLINK and EXDEV: the errors of file systems that have no hard links, or have run out of
    /// them. A folder that forbids writing refuses the copy too, and that error is then thrown.
    private static func meansNoHardLinks(_ kind: StorageError.Kind) -> Bool {
        switch kind {
        case .permissionDenied, .unavailable, .pathEscapesRoot: true
        default: false
        }
    }
}
