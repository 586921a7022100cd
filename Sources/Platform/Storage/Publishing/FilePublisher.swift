public import Digest
internal import Glibc

/// What to do if the name belongs to a file with other bytes.
public enum ExistingFile: Hashable, Sendable {
    case keep
    /// Replaces the existing file atomically: readers see the old file or the new one.
    case replace
}

/// A complete and durable file under its final name.
public struct Publication: Hashable, Sendable {
    /// How the file got its name.
    public enum Outcome: Hashable, Sendable {
        case created
        /// The name already belonged to a file with the same bytes.
        case identical
        /// Another file has the name and was kept. Digest and size are that file's.
        case kept
        case replaced
    }

    /// How the file got its name.
    public let outcome: Outcome
    /// SHA-256 of the file's bytes.
    public let digest: SHA256Value
    /// Size in bytes.
    public let sizeBytes: UInt64
}

/// Writes a file and gives it its final name: (1) writes the bytes to an unnamed or temporary file in the target
/// folder; (2) makes the file durable; (3) names it, without replacing another file unless requested; (4) makes the
/// folder durable.
///
/// A writer killed before step 3 leaves no trace; after it the file is complete.
struct FilePublisher {
    private let root: Root
    private let path: [UInt8]
    private let existing: ExistingFile
    /// False if the file may be lost or empty after a power failure.
    private let isDurable: Bool

    struct Contents {
        let sizeBytes: UInt64
        /// Hash of what `write` writes. A closure, so that hashing, which takes about as long as writing, can overlap
        /// with disk activity.
        let digest: () -> SHA256Value
        let write: (borrowing Descriptor) throws(StorageError) -> Void
    }

    init(to path: [UInt8], in root: Root, existing: ExistingFile, isDurable: Bool = true) {
        self.root = root
        self.path = path
        self.existing = existing
        self.isDurable = isDurable
    }

    /// Attempts while other processes replace the same file.
    private static let maxAttempts = 64

    func publish(_ contents: Contents) throws(StorageError) -> Publication {
        if let found = try acceptableFile(contents) { return found }
        for _ in 0..<Self.maxAttempts {
            if let published = try writeOnce(contents) { return published }
        }
        throw StorageError(errno: EBUSY, "replace", path)
    }

    /// - Returns: nil if a concurrent replacement removed the file's temporary name.
    private func writeOnce(_ contents: Contents) throws(StorageError) -> Publication? {
        var newFolders = FolderSyncs()
        let location = try root.createdLocation(of: path, "write", &newFolders)
        let pending = try PendingFile(in: location.folder, for: path)
        try contents.write(pending.file)
        // The disk works while the bytes are hashed.
        if isDurable { pending.file.beginSync() }
        let digest = contents.digest()
        if isDurable { try pending.file.sync(path) }
        try newFolders.sync()
        var outcome = Publication.Outcome.created
        if try !pending.takeName(of: location, path) {
            if let found = try acceptableFile(contents) { return found }
            guard try pending.replaceName(of: location, path) else { return nil }
            outcome = .replaced
        }
        if isDurable { try location.folder.sync() }
        return Publication(outcome: outcome, digest: digest, sizeBytes: contents.sizeBytes)
    }

    /// The existing file, made durable, if it has the same bytes or is to be kept; nil also if it was moved away
    /// meanwhile.
    private func acceptableFile(_ contents: Contents) throws(StorageError) -> Publication? {
        do throws(StorageError) { return try durableFile(like: contents) } catch {
            guard error.kind == .notFound else { throw error }
            return nil
        }
    }

    private func durableFile(like contents: Contents) throws(StorageError) -> Publication? {
        guard try root.factsIfPresent(of: path) != nil else { return nil }
        let found = try root.digest(of: path)
        let isSame = found.digest == contents.digest()
        guard isSame || existing == .keep else { return nil }
        if isDurable { try makeDurable() }
        return Publication(
            outcome: isSame ? .identical : .kept, digest: found.digest, sizeBytes: found.facts.sizeBytes)
    }

    /// The writer that named the file may have been killed before it could do this.
    private func makeDurable() throws(StorageError) {
        try root.open(path, "save", flags: O_RDONLY).sync(path)
        try root.syncFolder(Root.folder(of: path))
    }

    // MARK: Copying

    /// Copies a file from a root and verifies the copy's hash.
    ///
    /// - Parameter digest: expected hash.
    func publishCopy(of source: [UInt8], in sourceRoot: Root, digest: SHA256Value) throws(StorageError) -> Publication {
        let facts = try FileReader(source, in: sourceRoot).facts
        return try publish(
            Contents(sizeBytes: facts.sizeBytes, digest: { digest }) { target throws(StorageError) in
                let reader = try FileReader(source, in: sourceRoot)
                let copied = unsafe try reader.digest { (bytes) throws(StorageError) in
                    unsafe try target.write(bytes, path)
                }
                guard copied == digest else { throw StorageError(.changed, "copy", source) }
                try target.sync(path)
                guard try storedDigest(target) == digest else { throw StorageError(.changed, "copy", path) }
            })
    }

    /// Hash of a file, bypassing the cache where possible.
    private func storedDigest(_ file: borrowing Descriptor) throws(StorageError) -> SHA256Value {
        posix_fadvise(file.number, 0, 0, POSIX_FADV_DONTNEED)
        guard lseek(file.number, 0, SEEK_SET) == 0 else { throw StorageError(errno: errno, "read", path) }
        return unsafe try file.digest(path)
    }
}

/// Publishing files. Missing folders are created.
extension Root {
    /// Durably publishes a complete file.
    ///
    /// - Parameters:
    ///   - existing: what to do if the name belongs to a file with other bytes.
    ///   - isDurable: false if the file may be lost or empty after a power failure.
    /// - Throws: `wrongKind` if the name belongs to something other than a regular file.
    public func publish(
        _ bytes: UnsafeRawBufferPointer, at path: [UInt8], existing: ExistingFile = .keep, isDurable: Bool = true
    ) throws(StorageError) -> Publication {
        try FilePublisher(to: path, in: self, existing: existing, isDurable: isDurable).publish(
            FilePublisher.Contents(sizeBytes: UInt64(bytes.count), digest: { unsafe SHA256Value(of: bytes) }) {
                file throws(StorageError) in unsafe try file.write(bytes, path)
            })
    }

    /// Like `publish` of a buffer.
    public func publish(
        _ bytes: [UInt8], at path: [UInt8], existing: ExistingFile = .keep, isDurable: Bool = true
    ) throws(StorageError) -> Publication {
        unsafe try bytes.span.bytes.withUnsafeBytes { (raw) throws(StorageError) in
            unsafe try publish(raw, at: path, existing: existing, isDurable: isDurable)
        }
    }

    /// Copies a file into this root, like `publish`, and verifies the copy's hash. Throws `changed` if the source has
    /// other bytes than `digest`; nothing is published then.
    public func publishCopy(
        of source: [UInt8], in root: Root, digest: SHA256Value, at path: [UInt8], existing: ExistingFile = .keep
    ) throws(StorageError) -> Publication {
        try FilePublisher(to: path, in: self, existing: existing).publishCopy(of: source, in: root, digest: digest)
    }

    /// Makes a file durable and returns its SHA-256, bypassing the cache where possible.
    public func storedDigest(of path: [UInt8]) throws(StorageError) -> SHA256Value {
        let file = try open(path, "read", flags: O_RDONLY | O_NONBLOCK)
        guard try file.facts("read", path).kind == .file else { throw StorageError(.wrongKind, "read", path) }
        try file.sync(path)
        posix_fadvise(file.number, 0, 0, POSIX_FADV_DONTNEED)
        return unsafe try file.digest(path)
    }

    /// Checks that a file can be written durably in a folder. Leaves no trace.
    ///
    /// - Parameter bytes: required free space.
    public func probeWriting(in path: [UInt8] = [], bytes: UInt64 = 1 << 20) throws(StorageError) {
        let pending = try PendingFile(in: try openFolder(path), for: path)
        let result = posix_fallocate(pending.file.number, 0, off_t(clamping: bytes))
        guard result == 0 || result == EOPNOTSUPP else { throw StorageError(errno: result, "write", path) }
        try pending.file.sync(path)
    }
}
