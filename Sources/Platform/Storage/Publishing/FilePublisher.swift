public import Digest
internal import Glibc

/// What to do if a file with other bytes has the name.
public enum ExistingFile: Hashable, Sendable {
    /// The existing file stays.
    case keep
    /// The existing file is replaced. Readers see the old file or the new one, never none and never a part.
    case replace
}

/// A whole and durable file under its final name.
public struct Publication: Hashable, Sendable {
    /// How the file came to have the name.
    public enum Outcome: Hashable, Sendable {
        /// The name was free.
        case created
        /// The name already had a file with the same bytes.
        case identical
        /// Another file has the name and was kept. Digest and size are the existing file's.
        case kept
        /// Another file had the name.
        case replaced
    }

    /// How the file came to have the name.
    public let outcome: Outcome
    /// SHA-256 of the file's bytes.
    public let digest: SHA256Value
    /// The file's size.
    public let sizeBytes: UInt64
}

/// Puts one file under its final name.
///
/// The steps: (1) the bytes are written to a file without a name, or with a temporary one, in the target folder; (2)
/// the file is made durable; (3) it gets its name, which replaces nothing unless asked to; (4) the folder is made
/// durable. A writer killed before step 3 leaves no trace; after it the file is whole.
struct FilePublisher {
    private let root: Root
    private let path: [UInt8]
    private let existing: ExistingFile
    /// False for a file that a power cut may remove or leave empty.
    private let isDurable: Bool

    /// The contents of a file to be.
    struct Contents {
        let sizeBytes: UInt64
        /// The hash of what `write` writes. A closure, because hashing takes about as long as writing and can be done
        /// while the disk is busy.
        let digest: () -> SHA256Value
        let write: (borrowing Descriptor) throws(StorageError) -> Void
    }

    init(to path: [UInt8], in root: Root, existing: ExistingFile, isDurable: Bool = true) {
        self.root = root
        self.path = path
        self.existing = existing
        self.isDurable = isDurable
    }

    /// How often a file is written again because others replace the same one at the same time.
    private static let maxAttempts = 64

    func publish(_ contents: Contents) throws(StorageError) -> Publication {
        if let found = try acceptableFile(contents) { return found }
        for _ in 0..<Self.maxAttempts {
            if let published = try writeOnce(contents) { return published }
        }
        throw StorageError(errno: EBUSY, "replace", path)
    }

    /// - Returns: nil if another writer's replacement removed the file's temporary name.
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

    /// The file that has the name, made durable, if it has the same bytes or is to be kept; nil also if it is moved away
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

    /// Makes a file durable that another writer named, which may have been killed before it could.
    private func makeDurable() throws(StorageError) {
        try root.open(path, "save", flags: O_RDONLY).sync(path)
        try root.syncFolder(Root.folder(of: path))
    }

    // MARK: Copying

    /// Copies a file from a root and checks the copy by its hash.
    ///
    /// - Parameter digest: what the bytes must be.
    func publishCopy(of source: [UInt8], in sourceRoot: Root, digest: SHA256Value) throws(StorageError) -> Publication {
        let facts = try FileReader(source, in: sourceRoot).facts
        return try publish(
            Contents(sizeBytes: facts.sizeBytes, digest: { digest }) { target throws(StorageError) in
                let reader = try FileReader(source, in: sourceRoot)
                let copied = try reader.digest { (bytes) throws(StorageError) in try target.write(bytes, path) }
                guard copied == digest else { throw StorageError(.changed, "copy", source) }
                try target.sync(path)
                guard try storedDigest(target) == digest else { throw StorageError(.changed, "copy", path) }
            })
    }

    /// The hash of a file's bytes, read from the disk rather than from the cache where the system allows it.
    private func storedDigest(_ file: borrowing Descriptor) throws(StorageError) -> SHA256Value {
        posix_fadvise(file.number, 0, 0, POSIX_FADV_DONTNEED)
        guard lseek(file.number, 0, SEEK_SET) == 0 else { throw StorageError(errno: errno, "read", path) }
        return try file.digest(path)
    }
}

/// Publishing files. Missing folders are created.
extension Root {
    /// Puts a file under its final name, whole and durable.
    ///
    /// - Parameters:
    ///   - existing: what to do if a file with other bytes has the name.
    ///   - isDurable: false for a file that a power cut may remove or leave empty.
    /// - Throws: `wrongKind` if something other than a regular file has the name.
    public func publish(
        _ bytes: UnsafeRawBufferPointer, at path: [UInt8], existing: ExistingFile = .keep, isDurable: Bool = true
    ) throws(StorageError) -> Publication {
        try FilePublisher(to: path, in: self, existing: existing, isDurable: isDurable).publish(
            FilePublisher.Contents(sizeBytes: UInt64(bytes.count), digest: { SHA256Value(of: bytes) }) {
                file throws(StorageError) in try file.write(bytes, path)
            })
    }

    /// Puts a file under its final name, whole and durable.
    ///
    /// - Parameters:
    ///   - existing: what to do if a file with other bytes has the name.
    ///   - isDurable: false for a file that a power cut may remove or leave empty.
    /// - Throws: `wrongKind` if something other than a regular file has the name.
    public func publish(
        _ bytes: [UInt8], at path: [UInt8], existing: ExistingFile = .keep, isDurable: Bool = true
    ) throws(StorageError) -> Publication {
        try bytes.span.bytes.withUnsafeBytes { (raw) throws(StorageError) in
            try publish(raw, at: path, existing: existing, isDurable: isDurable)
        }
    }

    /// Copies a file into this root, like `publish`, and checks the copy by its hash.
    ///
    /// - Parameter digest: what the bytes must be.
    /// - Throws: `changed` if the source has other bytes; nothing gets the name then.
    public func publishCopy(
        of source: [UInt8], in root: Root, digest: SHA256Value, at path: [UInt8], existing: ExistingFile = .keep
    ) throws(StorageError) -> Publication {
        try FilePublisher(to: path, in: self, existing: existing).publishCopy(of: source, in: root, digest: digest)
    }

    /// The SHA-256 of a file, made durable and read back from the disk rather than from the cache where the system allows
    /// it.
    public func storedDigest(of path: [UInt8]) throws(StorageError) -> SHA256Value {
        let file = try open(path, "read", flags: O_RDONLY | O_NONBLOCK)
        guard try file.facts("read", path).kind == .file else { throw StorageError(.wrongKind, "read", path) }
        try file.sync(path)
        posix_fadvise(file.number, 0, 0, POSIX_FADV_DONTNEED)
        return try file.digest(path)
    }

    /// Checks that a file can be written durably in a folder. Leaves no trace.
    ///
    /// - Parameter bytes: how much free space there must be.
    public func probeWriting(in path: [UInt8] = [], bytes: UInt64 = 1 << 20) throws(StorageError) {
        let pending = try PendingFile(in: try openFolder(path), for: path)
        let result = posix_fallocate(pending.file.number, 0, off_t(clamping: bytes))
        guard result == 0 || result == EOPNOTSUPP else { throw StorageError(errno: result, "write", path) }
        try pending.file.sync(path)
    }
}
