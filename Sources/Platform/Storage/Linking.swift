internal import Glibc

extension Root {
    /// Gives an existing file a further name, both beneath this root; the folder is made durable.
    ///
    /// - Parameter existing: what to do where another file has the name. `replace` is atomic.
    public func link(
        _ target: [UInt8], at path: [UInt8], existing: ExistingFile = .keep
    ) throws(StorageError) -> Publication.Outcome {
        let folder = try openFolder(Self.folder(of: path))
        let outcome = try link(target, at: path, in: folder, existing: existing)
        if outcome != .kept { try folder.sync() }
        return outcome
    }

    /// The same, not durable by itself: for who makes many links in a folder and calls its `sync` then.
    ///
    /// - Parameter folder: the one that `path` stands in.
    public func link(
        _ target: [UInt8], at path: [UInt8], in folder: OpenFolder, existing: ExistingFile
    ) throws(StorageError) -> Publication.Outcome {
        let source = try parent(of: target, "link")
        let parent = Parent(folder: folder, name: try Parent.name(path, "link"))
        if linkat(source.folder.number, source.name, parent.folder.number, parent.name, 0) != 0 {
            guard errno == EEXIST else { throw StorageError(errno: errno, "link", path) }
            if try isSame(target, path) { return .identical }
            if existing == .keep { return .kept }
            try relink(source, target, over: parent, path)
            return .replaced
        }
        return .created
    }

    private func isSame(_ a: [UInt8], _ b: [UInt8]) throws(StorageError) -> Bool {
        let first = try facts(of: a)
        guard let second = try factsIfPresent(of: b) else { return false }
        return first.device == second.device && first.inode == second.inode
    }

    private func relink(
        _ source: Parent, _ target: [UInt8], over parent: Parent, _ path: [UInt8]
    ) throws(StorageError) {
        let next = TemporaryName.replacement(for: parent.name)
        for _ in 0..<64 {
            if linkat(source.folder.number, source.name, parent.folder.number, next, 0) == 0 {
                let result = renameat(parent.folder.number, next, parent.folder.number, parent.name)
                let number = errno
                if result == 0 {
                    // Renaming one name of a file over another does nothing and leaves both: somebody was faster.
                    unlinkat(parent.folder.number, next, 0)
                    return
                }
                if number != ENOENT {
                    unlinkat(parent.folder.number, next, 0)
                    throw StorageError(errno: number, "link", path)
                }
            } else if errno == EEXIST {
                unlinkat(parent.folder.number, next, 0)
            } else {
                throw StorageError(errno: errno, "link", path)
            }
        }
        throw StorageError(errno: EBUSY, "link", path)
    }

    /// Renames beneath this root, replacing what has the name; both folders are made durable.
    public func move(_ path: [UInt8], to target: [UInt8]) throws(StorageError) {
        let from = try parent(of: path, "move")
        let to = try parentMade(of: target, "move")
        guard renameat(from.folder.number, from.name, to.folder.number, to.name) == 0 else {
            throw StorageError(errno: errno, "move", path)
        }
        try to.folder.sync()
        try from.folder.sync()
    }
}
