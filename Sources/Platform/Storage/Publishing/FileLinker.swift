internal import Glibc

/// Adds a name for a file below the same root; a copy if the file system has no hard links.
private struct FileLinker {
    let root: Root
    let target: [UInt8]
    let path: [UInt8]

    func link(in folder: OpenFolder, existing: ExistingFile) throws(StorageError) -> Publication.Outcome {
        let source = try root.location(of: target, "link")
        let location = EntryLocation(folder: folder, name: try EntryLocation.name(path, "link"))
        if unsafe linkat(source.folder.number, source.name, folder.number, location.name, 0) == 0 { return .created }
        if EntryLocation.lacksHardLinks(errno) { return try copy(existing) }
        guard errno == EEXIST else { throw StorageError(errno: errno, "link", path) }
        if try isSameFile() { return .identical }
        if existing == .keep { return .kept }
        try replace(location, with: source)
        return .replaced
    }

    private func copy(_ existing: ExistingFile) throws(StorageError) -> Publication.Outcome {
        let digest = try root.digest(of: target).digest
        return try root.publishCopy(of: target, in: root, digest: digest, at: path, existing: existing).outcome
    }

    private func isSameFile() throws(StorageError) -> Bool {
        let id = try root.facts(of: target).id
        return try root.factsIfPresent(of: path)?.id == id
    }

    /// Links the file under a temporary name, which is then renamed over the old one.
    private func replace(_ location: EntryLocation, with source: EntryLocation) throws(StorageError) {
        let folder = location.folder.number
        let next = TemporaryName.replacement(for: location.name)
        for _ in 0..<64 {
            if unsafe linkat(source.folder.number, source.name, folder, next, 0) == 0 {
                let result = unsafe renameat(folder, next, folder, location.name)
                let number = errno
                if result == 0 {
                    // Renaming one name of a file over another of its names does nothing and keeps both. This happens
                    // if another process has just linked the same file.
                    unsafe unlinkat(folder, next, 0)
                    return
                }
                if number != ENOENT {
                    unsafe unlinkat(folder, next, 0)
                    throw StorageError(errno: number, "link", path)
                }
            } else if errno == EEXIST {
                unsafe unlinkat(folder, next, 0)
            } else {
                throw StorageError(errno: errno, "link", path)
            }
        }
        throw StorageError(errno: EBUSY, "link", path)
    }
}

extension Root {
    /// Durably adds a name for an existing file below this root, or a copy if the file system has no hard links.
    ///
    /// - Parameter existing: what to do if the name is taken. `replace` is atomic.
    public func link(
        _ target: [UInt8], at path: [UInt8], existing: ExistingFile = .keep
    ) throws(StorageError) -> Publication.Outcome {
        let folder = try openFolder(Self.folder(of: path))
        let outcome = try link(target, at: path, in: folder, existing: existing)
        if outcome != .kept { try folder.sync() }
        return outcome
    }

    /// Adds a name for an existing file in the folder that contains `path`, not durably, for callers that make many
    /// links and then call the folder's `sync`.
    public func link(
        _ target: [UInt8], at path: [UInt8], in folder: OpenFolder, existing: ExistingFile
    ) throws(StorageError) -> Publication.Outcome {
        try FileLinker(root: self, target: target, path: path).link(in: folder, existing: existing)
    }

    /// Durably renames a file below this root, replacing an existing one.
    public func move(_ path: [UInt8], to target: [UInt8]) throws(StorageError) {
        let from = try location(of: path, "move")
        let to = try createdLocation(of: target, "move")
        guard unsafe renameat(from.folder.number, from.name, to.folder.number, to.name) == 0 else {
            throw StorageError(errno: errno, "move", path)
        }
        try to.folder.sync()
        try from.folder.sync()
    }
}
