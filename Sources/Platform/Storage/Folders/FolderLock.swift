internal import Glibc

/// A lock, released with the value or at the end of the process.
public struct FolderLock: ~Copyable, Sendable {
    private let file: Descriptor

    fileprivate init(_ file: consuming Descriptor) { self.file = file }
}

extension Root {
    /// Takes an advisory lock on a file, which is created if missing and never removed.
    ///
    /// Waits up to half a second, because a child between fork and exec still holds its parent's lock for a moment.
    /// Over a network file system the lock excludes other machines as far as the file system supports it: NFS does,
    /// unless mounted with `nolock` or `local_lock`.
    ///
    /// - Parameter isShared: allow other shared holders.
    /// - Throws: `locked`, with the holder if known.
    public func lock(_ path: [UInt8], isShared: Bool = false) throws(StorageError) -> FolderLock {
        try createFolders(Self.folder(of: path))
        let file = try open(path, "lock", flags: O_RDWR | O_CREAT, mode: 0o666)
        var retries = 20
        while flock(file.number, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK, retries > 0 {
                retries -= 1
                usleep(25_000)
                continue
            }
            guard errno == EWOULDBLOCK else { throw StorageError(errno: errno, "lock", path) }
            throw StorageError(.locked, "lock", path, number: EWOULDBLOCK, holder: holder(of: file, path))
        }
        guard ftruncate(file.number, 0) == 0 else { throw StorageError(errno: errno, "lock", path) }
        let text = Array("\(LockHolder.current.fileText)\n".utf8)
        unsafe try text.span.bytes.withUnsafeBytes { (bytes) throws(StorageError) in unsafe try file.write(bytes, path)
        }
        return FolderLock(file)
    }

    private func holder(of file: borrowing Descriptor, _ path: [UInt8]) -> LockHolder? {
        var text = [UInt8](repeating: 0, count: 300)
        let count = unsafe text.withUnsafeMutableBytes { bytes in unsafe (try? file.read(into: bytes, path)) ?? 0 }
        return LockHolder(fileText: String(decoding: text[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}
