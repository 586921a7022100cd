public import Digest
internal import Glibc

/// An empty file that still needs its bytes and its final name. The process that creates and names it can pass its
/// descriptor over a socket to another process that writes it. Removed unless it gets its name.
public final class BlankFile: Sendable {
    /// Future path relative to the root; empty in a process that does not name it.
    public let path: [UInt8]
    let pending: PendingFile

    /// Creates a file for a path below a root. Its folder need not exist: the file is created in the nearest existing
    /// parent, on the same file system.
    public convenience init(for path: [UInt8], in root: Root) throws(StorageError) {
        _ = try EntryLocation.name(path, "write")
        try self.init(for: path, in: root.nearestFolder(to: path))
    }

    convenience init(for path: [UInt8], in folder: OpenFolder) throws(StorageError) {
        self.init(try PendingFile(in: folder, for: path), path)
    }

    /// Takes over the descriptor of a file that another process created, to write it.
    public convenience init(owning descriptor: Int32) {
        self.init(PendingFile(unnamed: Descriptor(owning: descriptor)), [])
    }

    init(_ pending: consuming PendingFile, _ path: [UInt8]) {
        self.pending = pending
        self.path = path
    }

    /// For the process that writes the file. Valid as long as this value.
    public var descriptor: Int32 { pending.file.number }

    /// Opens the file for reading. The result keeps the file alive, even without a name.
    public func opened() throws(StorageError) -> OpenFile {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw StorageError(errno: errno, "read", path) }
        return try OpenFile(owning: copy, path: path)
    }

    /// Writes all of the file's bytes, and starts flushing them to disk while hashing. Returns their SHA-256.
    public func fill(with bytes: UnsafeRawBufferPointer) throws(StorageError) -> SHA256Value {
        unsafe try pending.file.write(bytes, path)
        pending.file.beginSync()
        return unsafe SHA256Value(of: bytes)
    }
}

/// Writes a file in parts, to save memory.
extension BlankFile {
    /// Writes bytes at an offset, extending the file as needed.
    public func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(StorageError) {
        unsafe try pending.file.write(bytes, at: offset, path)
    }

    /// Fills the buffer with bytes written before.
    public func read(into bytes: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(StorageError) {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
            let count = unsafe try pending.file.read(into: rest, at: offset + UInt64(done), path)
            guard count > 0 else { throw StorageError(.changed, "read", path) }
            done += count
        }
    }

    /// Truncates the file.
    public func cut(toBytes byteCount: UInt64) throws(StorageError) {
        let status = retrying { ftruncate(pending.file.number, off_t(clamping: byteCount)) }
        guard status == 0 else { throw StorageError(errno: errno, "write", path) }
    }

    /// SHA-256 of the complete file. Starts flushing it to disk meanwhile.
    public func finish() throws(StorageError) -> SHA256Value {
        pending.file.beginSync()
        var hasher = SHA256Hasher()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Descriptor.chunkBytes, alignment: 64)
        defer { unsafe buffer.deallocate() }
        var offset: UInt64 = 0
        while case let count = unsafe try pending.file.read(into: buffer, at: offset, path), count > 0 {
            unsafe hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += UInt64(count)
        }
        return hasher.finish()
    }
}

extension Root {
    /// The folder of a file, or its nearest existing parent, which is on the same file system.
    func nearestFolder(to path: [UInt8]) throws(StorageError) -> OpenFolder {
        let path = Root.folder(of: path)
        do throws(StorageError) { return try existingFolder(path, "write") } catch {
            guard error.kind == .notFound, !path.isEmpty else { throw error }
            return try nearestFolder(to: path)
        }
    }
}
