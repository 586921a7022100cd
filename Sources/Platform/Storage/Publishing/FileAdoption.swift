internal import Glibc

/// What became of a file that was to get a name beneath another root.
public enum Adoption: Hashable, Sendable {
    /// It has the name, and is no longer where it was.
    case moved
    /// Another file has the name. Nothing was changed.
    case nameTaken
}

extension Root {
    /// Moves a file of another root to a name beneath this one, whole and durable. Missing folders are created.
    ///
    /// Within a file system the file is renamed, so that it is never in two places and nothing temporary is written.
    /// Otherwise it is copied, the copy is checked by its hash, and then the file is removed: a process that is killed
    /// in between leaves both.
    ///
    /// - Parameters:
    ///   - source: the file's path below its root.
    ///   - other: the root that it is beneath.
    ///   - path: its new path below this root.
    ///   - existing: what to do if a file has the name.
    public func adopt(
        _ source: [UInt8], of other: Root, at path: [UInt8], existing: ExistingFile = .keep
    ) throws(StorageError) -> Adoption {
        let from = try other.location(of: source, "move")
        let to = try createdLocation(of: path, "write")
        let result =
            existing == .replace
            ? renameat(from.folder.number, from.name, to.folder.number, to.name)
            : from.renameWithoutReplacing(to: to)
        guard result != 0 else {
            try to.folder.sync()
            return .moved
        }
        switch errno {
        case EEXIST: return .nameTaken
        case EXDEV: return try adoptCopy(of: source, of: other, at: path, existing)
        case let number: throw to.creationError(number, "write", path, from: from)
        }
    }

    private func adoptCopy(
        of source: [UInt8], of other: Root, at path: [UInt8], _ existing: ExistingFile
    ) throws(StorageError) -> Adoption {
        let digest = try other.digest(of: source).digest
        let copy = try publishCopy(of: source, in: other, digest: digest, at: path, existing: existing)
        if copy.outcome == .kept { return .nameTaken }
        try other.remove(source)
        return .moved
    }
}
