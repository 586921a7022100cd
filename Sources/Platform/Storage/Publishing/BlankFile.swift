public import Digest
internal import Glibc

/// An empty file that waits for its bytes and for its name. The process that writes it can be another one than the one that
/// made it and names it, which sends its descriptor over a socket. If it never gets its name, it is removed.
public final class BlankFile: Sendable {
    /// The name that it is meant to get, relative to its root; empty in a process that does not name it.
    public let path: [UInt8]
    let pending: PendingFile

    /// Makes a file for a name beneath a root. Its folder need not exist: the file is in the nearest one above, which is on
    /// the same file system.
    public convenience init(for path: [UInt8], in root: Root) throws(StorageError) {
        _ = try EntryLocation.name(path, "write")
        try self.init(for: path, in: root.nearestFolder(to: path))
    }

    convenience init(for path: [UInt8], in folder: OpenFolder) throws(StorageError) {
        self.init(try PendingFile(in: folder, for: path), path)
    }

    /// Takes over a file that another process made, to write it. The descriptor is closed with it.
    public convenience init(owning descriptor: Int32) {
        self.init(PendingFile(unnamed: Descriptor(owning: descriptor)), [])
    }

    init(_ pending: consuming PendingFile, _ path: [UInt8]) {
        self.pending = pending
        self.path = path
    }

    /// The descriptor, to be sent to the process that writes the file. Valid as long as this value lives.
    public var descriptor: Int32 { pending.file.number }

    /// The file, open for reading. It goes on to exist as long as that value does, also without a name.
    ///
    /// - Throws: `StorageError`.
    public func opened() throws(StorageError) -> OpenFile {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw StorageError(errno: errno, "read", path) }
        return try OpenFile(owning: copy, path: path)
    }

    /// Writes all of the file's bytes. The disk begins to work while they are hashed.
    ///
    /// - Returns: their SHA-256.
    public func fill(with bytes: UnsafeRawBufferPointer) throws(StorageError) -> SHA256Value {
        try pending.file.write(bytes, path)
        pending.file.beginSync()
        return SHA256Value(of: bytes)
    }
}

/// Writing a file bit by bit, for what would fill the memory.
extension BlankFile {
    /// Writes bytes at a place of the file, which grows to hold them.
    public func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(StorageError) {
        try pending.file.write(bytes, at: offset, path)
    }

    /// Reads as many bytes as the buffer has, which were written before.
    public func read(into bytes: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(StorageError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
            let count = try pending.file.read(into: rest, at: offset + UInt64(done), path)
            guard count > 0 else { throw StorageError(.changed, "read", path) }
            done += count
        }
    }

    /// Ends the file after these bytes.
    public func cut(toBytes byteCount: UInt64) throws(StorageError) {
        let status = retrying { ftruncate(pending.file.number, off_t(clamping: byteCount)) }
        guard status == 0 else { throw StorageError(errno: errno, "write", path) }
    }

    /// The file's SHA-256, when all is written. The disk begins to work meanwhile.
    public func finish() throws(StorageError) -> SHA256Value {
        pending.file.beginSync()
        var hasher = SHA256Hasher()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Descriptor.chunkBytes, alignment: 64)
        defer { buffer.deallocate() }
        var offset: UInt64 = 0
        while case let count = try pending.file.read(into: buffer, at: offset, path), count > 0 {
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += UInt64(count)
        }
        return hasher.finish()
    }
}

extension Root {
    /// The folder that a file will be in, or if that is missing the nearest above it, which is on the same file system.
    func nearestFolder(to path: [UInt8]) throws(StorageError) -> OpenFolder {
        let path = Root.folder(of: path)
        do throws(StorageError) { return try existingFolder(path, "write") } catch {
            guard error.kind == .notFound, !path.isEmpty else { throw error }
            return try nearestFolder(to: path)
        }
    }
}
