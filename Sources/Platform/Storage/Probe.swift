internal import Glibc

extension Root {
    /// Tries whether a file can be written in a folder, durably; leaves no trace.
    ///
    /// - Parameter bytes: how much space there must be.
    public func probeWriting(in path: [UInt8] = [], bytes: UInt64 = 1 << 20) throws(StorageError) {
        let pending = try PendingFile.open(in: Parent(folder: try openFolder(path), name: [0]), path)
        let result = posix_fallocate(pending.file.number, 0, off_t(clamping: bytes))
        guard result == 0 || result == EOPNOTSUPP else { throw StorageError(errno: result, "write", path) }
        try pending.file.sync(path)
    }
}
