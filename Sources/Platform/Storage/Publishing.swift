internal import CFiles
public import Digest
internal import Glibc

/// What to do where the name is taken by a file with other bytes.
public enum ExistingFile: Hashable, Sendable {
    case keep
    /// Readers see the old file or the new one, never none and never a part.
    case replace
}

/// A file that now stands, whole and durable, under its name.
public struct Publication: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        case created
        /// It stood there already with the same bytes.
        case identical
        /// Another file stands there, and was kept. The digest and size are the existing file's.
        case kept
        case replaced
    }

    public let outcome: Outcome
    public let digest: SHA256Value
    public let sizeBytes: UInt64
}

/// What a file is to hold.
struct Contents {
    let sizeBytes: UInt64
    /// Of the bytes that `write` writes. Not a value, because making it takes about as long as writing, and can be done
    /// while the disk is busy.
    let digest: () -> SHA256Value
    let write: (borrowing Descriptor) throws(StorageError) -> Void
}

extension Root {
    /// Puts a file under its final name: written without a name (or a temporary one) in the target folder, made
    /// durable, then named without replacing, then the folder made durable. Folders are made as needed.
    ///
    /// Steps of a kill: before the naming there is no trace; after it the file is whole.
    ///
    /// - Parameter isDurable: false for a file that a power cut may take, or leave empty.
    public func publish(
        _ bytes: UnsafeRawBufferPointer, at path: [UInt8], existing: ExistingFile = .keep, isDurable: Bool = true
    ) throws(StorageError) -> Publication {
        let contents = Contents(sizeBytes: UInt64(bytes.count), digest: { SHA256Value(of: bytes) }) {
            file throws(StorageError) in try file.write(bytes, path)
        }
        return try publish(contents, at: path, existing: existing, isDurable: isDurable)
    }

    public func publish(
        _ bytes: [UInt8], at path: [UInt8], existing: ExistingFile = .keep, isDurable: Bool = true
    ) throws(StorageError) -> Publication {
        // Not `withUnsafeBytes`: it does not rethrow a typed error.
        let result = bytes.withUnsafeBytes { raw in
            Result { () throws(StorageError) in try publish(raw, at: path, existing: existing, isDurable: isDurable) }
        }
        return try result.get()
    }

    func publish(
        _ contents: Contents, at path: [UInt8], existing: ExistingFile, isDurable: Bool = true
    ) throws(StorageError) -> Publication {
        if let standing = try standing(at: path, contents), standing.outcome == .identical || existing == .keep {
            if isDurable { try settle(path) }
            return standing
        }
        for _ in 0..<Self.mostReplacers {
            if let done = try writeOnce(contents, at: path, existing: existing, isDurable: isDurable) { return done }
        }
        throw StorageError(errno: EBUSY, "replace", path)
    }

    /// How often a file is written again because somebody else replaces the same one at the same time.
    private static let mostReplacers = 64

    /// Nil where another replacer took the file's temporary name away.
    private func writeOnce(
        _ contents: Contents, at path: [UInt8], existing: ExistingFile, isDurable: Bool
    ) throws(StorageError) -> Publication? {
        let parent = try parentMade(of: path, "write")
        let pending = try PendingFile.open(in: parent, path)
        try contents.write(pending.file)
        // The disk works while the bytes are hashed.
        if isDurable { pending.file.beginSync() }
        let digest = contents.digest()
        if isDurable { try pending.file.sync(path) }
        var outcome = Publication.Outcome.created
        if try !pending.takeName(of: parent, path) {
            if let standing = try standing(at: path, contents) {
                if standing.outcome == .identical || existing == .keep {
                    if isDurable { try settle(path) }
                    return standing
                }
            }
            guard try pending.replaceName(of: parent, path) else { return nil }
            outcome = .replaced
        }
        if isDurable { try parent.folder.sync() }
        return Publication(outcome: outcome, digest: digest, sizeBytes: contents.sizeBytes)
    }

    /// The file that has the name, compared by size and hash; nil where there is none.
    private func standing(at path: [UInt8], _ contents: Contents) throws(StorageError) -> Publication? {
        guard try factsIfPresent(of: path) != nil else { return nil }
        let found = try identity(of: path)
        let same = found.digest == contents.digest()
        return Publication(
            outcome: same ? .identical : .kept, digest: found.digest, sizeBytes: found.facts.sizeBytes)
    }

    /// Makes a file that somebody else named durable: whoever it was may have been killed before.
    private func settle(_ path: [UInt8]) throws(StorageError) {
        try open(path, "save", flags: O_RDONLY).sync(path)
        try syncFolder(Self.folder(of: path))
    }

    static func folder(of path: [UInt8]) -> [UInt8] {
        guard let cut = path.lastIndex(of: UInt8(ascii: "/")) else { return [] }
        // What stands in "/" is no file of this root, and opening that says so.
        return Array(path[..<max(cut, 1)])
    }
}
