internal import Digest
internal import Jobs
internal import Manifests
internal import Storage

/// Links made and removed in many folders, and made durable once for each folder rather than once for each file.
struct LinkBatch {
    let root: Root
    private var touched: Set<[UInt8]> = []
    /// The one the last link was made in: they come folder by folder.
    private var open: OpenFolder?
    /// Where the file system has no hard links, files are copied.
    private var copies: Bool

    init(root: Root, copies: Bool = false) {
        self.root = root
        self.copies = copies
    }

    /// Gives the object the name, in the place of what has it.
    mutating func link(_ object: RelativePath, at path: RelativePath) throws {
        let folder = path.folder?.bytes ?? []
        if !copies {
            do throws(StorageError) {
                let into = try opened(folder)
                _ = try root.link(object.bytes, at: path.bytes, in: into, existing: .replace)
                return
            } catch {
                guard Self.meansNoHardLinks(error.kind) else { throw error }
                copies = true
            }
        }
        try copy(object, at: path)
    }

    private mutating func opened(_ folder: [UInt8]) throws(StorageError) -> OpenFolder {
        if let open, open.path == folder { return open }
        let opened = try root.openFolder(folder)
        touched.insert(folder)
        open = opened
        return opened
    }

    /// Removes the file, and the folders that are empty without it.
    mutating func remove(_ path: RelativePath) throws {
        try root.remove(path.bytes)
        open = nil
        var above = path.folder
        while let folder = above, folder.bytes != Array(LibraryLayout.photos.utf8) {
            touched.remove(folder.bytes)
            guard try removeIfEmpty(folder.bytes) else {
                touched.insert(folder.bytes)
                return
            }
            above = folder.folder
        }
        if let above { touched.insert(above.bytes) }
    }

    /// Returns when all of it survives a power cut.
    mutating func sync() throws {
        for folder in touched where try root.factsIfPresent(of: folder) != nil { try root.syncFolder(folder) }
        touched.removeAll()
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
        let digest = try root.identity(of: object.bytes).digest
        _ = try root.publishCopy(of: object.bytes, in: root, digest: digest, at: path.bytes, existing: .replace)
    }

    /// EPERM, EOPNOTSUPP, EMLINK, EXDEV: what file systems without hard links, or out of them, answer. A folder that
    /// truly forbids writing refuses the copy too, and that is then the error.
    private static func meansNoHardLinks(_ kind: StorageError.Kind) -> Bool {
        switch kind {
        case .permissionDenied, .unavailable, .pathEscapesRoot: true
        default: false
        }
    }
}
