internal import Glibc

/// Result of moving a file to another root.
public enum Adoption: Hashable, Sendable {
    /// The file has its new name and lost the old one.
    case moved
    /// The name belongs to another file. Nothing was changed.
    case nameTaken
}

extension Root {
    /// Durably moves a file from another root to a path below this one. Creates missing folders.
    ///
    /// Within a file system, renames the file. Otherwise copies it, verifies the copy's hash, and removes the original;
    /// a process killed in between leaves both.
    ///
    /// - Parameters:
    ///   - source: path below the other root.
    ///   - path: new path below this root.
    ///   - existing: what to do if the name is taken.
    public func adopt(
        _ source: [UInt8], of other: Root, at path: [UInt8], existing: ExistingFile = .keep
    ) throws(StorageError) -> Adoption {
        let from = try other.location(of: source, "move")
        let to = try createdLocation(of: path, "write")
        let result =
            unsafe existing == .replace
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
