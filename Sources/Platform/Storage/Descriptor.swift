internal import CFiles
internal import Digest
internal import Glibc

/// An open file; closed with the value.
struct Descriptor: ~Copyable, Sendable {
    let number: Int32

    init(owning number: Int32) { self.number = number }

    deinit { close(number) }

    func facts(_ action: String, _ path: [UInt8]) throws(StorageError) -> FileFacts {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw StorageError(errno: errno, action, path) }
        return FileFacts(status)
    }

    /// Has the kernel begin to write the file's bytes to the disk, so that there is less to wait for when it must `sync`.
    /// That is all it is for: where the file system cannot, nothing is lost.
    func beginSync() { _ = rawmill_begin_sync(number) }

    /// Returns when the file's bytes, or the folder's entries, survive a power cut.
    func sync(_ path: [UInt8]) throws(StorageError) {
        guard retrying({ fsync(number) }) == 0 else { throw StorageError(errno: errno, "save", path) }
    }

    /// Writes all bytes at the descriptor's place.
    func write(_ bytes: UnsafeRawBufferPointer, _ path: [UInt8]) throws(StorageError) {
        var done = 0
        while done < bytes.count {
            let count = retrying { Glibc.write(number, bytes.baseAddress.map { $0 + done }, bytes.count - done) }
            guard count > 0 else { throw StorageError(errno: count == 0 ? EIO : errno, "write", path) }
            done += count
        }
    }

    /// Reads up to the buffer's size; 0 at the end of the file.
    func read(into bytes: UnsafeMutableRawBufferPointer, _ path: [UInt8]) throws(StorageError) -> Int {
        let count = retrying { Glibc.read(number, bytes.baseAddress, bytes.count) }
        guard count >= 0 else { throw StorageError(errno: errno, "read", path) }
        return count
    }

    /// How much is read at once of a file that is not read whole.
    static var chunkBytes: Int { 1 << 20 }

    /// The hash of everything from the descriptor's place to the file's end.
    ///
    /// - Parameter each: gets each part of it, before the next is read.
    func digest(
        _ path: [UInt8], each: (UnsafeRawBufferPointer) throws(StorageError) -> Void = { _ in }
    ) throws(StorageError) -> SHA256Value {
        var hasher = SHA256Hasher()
        let part = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkBytes, alignment: 64)
        defer { part.deallocate() }
        while true {
            let count = try read(into: part, path)
            if count == 0 { return hasher.finish() }
            let bytes = UnsafeRawBufferPointer(rebasing: part[..<count])
            hasher.update(bytes)
            try each(bytes)
        }
    }
}

/// Repeats a system call that a signal interrupted.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
