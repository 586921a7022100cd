internal import CFiles
internal import Glibc

/// A file about to get a name shared with users: a copy, or an additional name of the original.
public final class StagedFile: Sendable {
    /// What the file shares with its original.
    public enum Sharing: Hashable, Sendable {
        /// A separate file that shares disk blocks until either is written.
        case blocks
        /// A separate file with its own blocks.
        case nothing
        /// The same file: writing to one writes to the other.
        case everything
    }

    /// What the file shares with its original.
    public let sharing: Sharing
    private let source: Source
    private let path: [UInt8]

    private enum Source {
        case copy(CopiedFile)
        case original(EntryLocation)
    }

    /// A class, because enumerations hold no noncopyable values.
    private final class CopiedFile: Syncable {
        let file: PendingFile
        private let path: [UInt8]

        init(_ file: consuming PendingFile, _ path: [UInt8]) {
            self.file = file
            self.path = path
        }

        func sync() throws(StorageError) { try file.file.sync(path) }
        func syncFileSystem() -> Bool { file.file.syncFileSystem() }
        var device: UInt64? { file.file.device }
    }

    /// Copies a file for a folder, sharing its blocks if possible. The copy is durable only after `sync(_:)`. `path` is
    /// the name it will get, for errors.
    public init(
        copyOf original: [UInt8], in root: Root, for folder: OpenFolder, at path: [UInt8]
    ) throws(StorageError) {
        let source = try root.open(original, "copy", flags: O_RDONLY | O_NONBLOCK)
        let facts = try source.facts("copy", original)
        guard facts.kind == .file else { throw StorageError(.wrongKind, "copy", original) }
        let pending = try PendingFile(in: folder, for: path)
        if rawmill_clone(pending.file.number, source.number) == 0 {
            sharing = .blocks
        } else {
            try Self.copy(source, facts.sizeBytes, to: pending.file, original, path)
            pending.file.beginSync()
            sharing = .nothing
        }
        self.source = .copy(CopiedFile(pending, path))
        self.path = path
    }

    /// Links the file, which becomes read-only: for files too large to have twice. Copies it if the file system can
    /// share blocks, or has no hard links. `path` is the name it will get, for errors.
    public init(
        linking original: [UInt8], in root: Root, for folder: OpenFolder, at path: [UInt8]
    ) throws(StorageError) {
        let source = try root.open(original, "link", flags: O_RDONLY | O_NONBLOCK)
        let pending = try PendingFile(in: folder, for: path)
        let location = try root.location(of: original, "link")
        if rawmill_clone(pending.file.number, source.number) == 0 {
            sharing = .blocks
            self.source = .copy(CopiedFile(pending, path))
        } else if Self.canHaveFurtherName(location, in: folder) {
            sharing = .everything
            self.source = .original(location)
            // Another user's file cannot be made read-only, and is linked as it is.
            fchmod(source.number, 0o444)
        } else {
            sharing = .nothing
            try Self.copy(source, source.facts("copy", original).sizeBytes, to: pending.file, original, path)
            pending.file.beginSync()
            self.source = .copy(CopiedFile(pending, path))
        }
        self.path = path
    }

    /// False only if certain.
    private static func canHaveFurtherName(_ original: EntryLocation, in folder: OpenFolder) -> Bool {
        let trial = TemporaryName.random()
        guard unsafe linkat(original.folder.number, original.name, folder.number, trial, 0) == 0 else {
            return !EntryLocation.lacksHardLinks(errno)
        }
        unsafe unlinkat(folder.number, trial, 0)
        return true
    }

    /// Waits until all copies survive a power failure.
    public static func sync(_ files: [StagedFile]) throws(StorageError) {
        try GroupSync.sync(files.compactMap { if case .copy(let copy) = $0.source { copy } else { nil } })
    }

    func facts() throws(StorageError) -> FileFacts {
        switch source {
        case .copy(let copy): try copy.file.file.facts("look at", path)
        case .original(let original): try original.facts("look at", path)
        }
    }

    /// Gives the file a free name. Returns false if the name is taken.
    func takeName(_ location: EntryLocation) throws(StorageError) -> Bool {
        switch source {
        case .copy(let copy): return try copy.file.takeName(of: location, path)
        case .original(let original):
            let folder = location.folder.number
            if unsafe linkat(original.folder.number, original.name, folder, location.name, 0) == 0 { return true }
            if errno == EEXIST { return false }
            throw StorageError(errno: errno, "link", path)
        }
    }

    /// Removes the name that the file has just got, so that it can get another.
    func loseName(_ name: EntryLocation) {
        switch source {
        case .copy(let copy): copy.file.loseName(name)
        case .original: unsafe unlinkat(name.folder.number, name.name, 0)
        }
    }

    private static func copy(
        _ source: borrowing Descriptor, _ sizeBytes: UInt64, to target: borrowing Descriptor, _ original: [UInt8],
        _ path: [UInt8]
    ) throws(StorageError) {
        var done: UInt64 = 0
        while done < sizeBytes {
            let count = retrying { rawmill_copy_range(source.number, target.number, sizeBytes - done) }
            if count > 0 {
                done += UInt64(count)
            } else if count == 0 {
                throw StorageError(.changed, "copy", original)
            } else if done == 0, [EINVAL, ENOSYS, EOPNOTSUPP, EXDEV].contains(errno) {
                _ = unsafe try source.digest(original) { (bytes) throws(StorageError) in
                    unsafe try target.write(bytes, path)
                }
                return
            } else {
                throw StorageError(errno: errno, "write", path)
            }
        }
    }
}

extension EntryLocation {
    func facts(_ action: String, _ path: [UInt8]) throws(StorageError) -> FileFacts {
        var status = stat()
        guard unsafe fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw StorageError(errno: errno, action, path)
        }
        return FileFacts(status)
    }
}
