internal import Glibc

extension Root {
    /// Gives an existing file a further name, both beneath this root; the folder is made durable.
    ///
    /// - Parameter existing: what to do where another file has the name. `replace` is atomic.
    /// - Parameter durable: false for a caller that makes many links and then calls `syncFolder` itself.
    public func link(
        _ target: [UInt8], at path: [UInt8], existing: ExistingFile = .keep, durable: Bool = true
    ) throws(StorageError) -> Publication.Outcome {
        try createFolders(Self.folder(of: path))
        let source = try parent(of: target, "link")
        let parent = try parent(of: path, "link")
        var outcome = Publication.Outcome.created
        if linkat(source.folder.number, source.name, parent.folder.number, parent.name, 0) != 0 {
            guard errno == EEXIST else { throw StorageError(errno: errno, "link", path) }
            if try isSame(target, path) {
                outcome = .identical
            } else if existing == .keep {
                return .kept
            } else {
                try relink(source, target, over: parent, path)
                outcome = .replaced
            }
        }
        if durable { try parent.folder.sync(path) }
        return outcome
    }

    private func isSame(_ a: [UInt8], _ b: [UInt8]) throws(StorageError) -> Bool {
        let first = try facts(of: a)
        guard let second = try factsIfPresent(of: b) else { return false }
        return first.device == second.device && first.inode == second.inode
    }

    private func relink(
        _ source: borrowing Parent, _ target: [UInt8], over parent: borrowing Parent, _ path: [UInt8]
    ) throws(StorageError) {
        let next = TemporaryName.replacement(for: parent.name)
        for _ in 0..<64 {
            if linkat(source.folder.number, source.name, parent.folder.number, next, 0) == 0 {
                let result = renameat(parent.folder.number, next, parent.folder.number, parent.name)
                let number = errno
                // Renaming one name of a file over another does nothing and leaves both: somebody was faster.
                if result == 0 { unlinkat(parent.folder.number, next, 0) }
                if result == 0 { return }
                if number != ENOENT { throw StorageError(errno: number, "link", path) }
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
        try createFolders(Self.folder(of: target))
        let from = try parent(of: path, "move")
        let to = try parent(of: target, "move")
        guard renameat(from.folder.number, from.name, to.folder.number, to.name) == 0 else {
            throw StorageError(errno: errno, "move", path)
        }
        try to.folder.sync(target)
        try from.folder.sync(path)
    }

    /// Makes an empty file durable under a name that must be free; false where it is taken.
    public func createMarker(_ path: [UInt8]) throws(StorageError) -> Bool {
        try createFolders(Self.folder(of: path))
        let parent = try parent(of: path, "create")
        let number = retrying {
            openat(parent.folder.number, parent.name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o666))
        }
        if number < 0, errno == EEXIST { return false }
        guard number >= 0 else { throw StorageError(errno: errno, "create", path) }
        _ = Descriptor(owning: number)
        try parent.folder.sync(path)
        return true
    }
}
