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

    /// Writes all of the file's bytes. The disk begins to work while they are hashed.
    ///
    /// - Returns: their SHA-256.
    public func fill(with bytes: UnsafeRawBufferPointer) throws(StorageError) -> SHA256Value {
        try pending.file.write(bytes, path)
        pending.file.beginSync()
        return SHA256Value(of: bytes)
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
