internal import CFiles
internal import Digest
internal import Glibc

/// An open file or folder; closed with the value.
struct Descriptor: ~Copyable, Sendable {
    let number: Int32

    init(owning number: Int32) { self.number = number }

    deinit { close(number) }

    func facts(_ action: String, _ path: [UInt8]) throws(StorageError) -> FileFacts {
        var status = stat()
        guard rawmill_fstat(number, &status) == 0 else { throw StorageError(errno: errno, action, path) }
        return FileFacts(status)
    }

    /// Makes the kernel start writing the file's bytes to the disk, so that a later `sync` waits less.
    ///
    /// A file system that cannot do this loses nothing by it, so errors are ignored.
    func beginSync() { _ = rawmill_begin_sync(number) }

    /// Makes the kernel begin to read the file's first bytes. Not every file system does. Of what it is asked for at once the kernel
    /// reads no more than it would read ahead by itself, which is 128 kB at least, so it is asked for as much at a time.
    func announce(byteCount: Int) {
        let step = 128 << 10
        for start in stride(from: 0, to: byteCount, by: step) {
            posix_fadvise(number, off_t(start), off_t(min(step, byteCount - start)), POSIX_FADV_WILLNEED)
        }
    }

    /// Returns when the file's bytes, or the folder's entries, survive a power cut.
    func sync(_ path: [UInt8]) throws(StorageError) {
        guard retrying({ fsync(number) }) == 0 else { throw StorageError(errno: errno, "save", path) }
    }

    /// Returns when everything on the file's whole file system survives a power cut.
    ///
    /// - Returns: false if that failed, or the file system is not known to do it.
    func syncFileSystem() -> Bool { retrying { rawmill_sync_file_system(number) } == 0 }

    /// The device that the file is on; nil if the system does not tell.
    var device: UInt64? { try? facts("look at", []).id.device }

    /// Writes all bytes at the descriptor's position.
    func write(_ bytes: UnsafeRawBufferPointer, _ path: [UInt8]) throws(StorageError) {
        var done = 0
        while done < bytes.count {
            let count = retrying { Glibc.write(number, bytes.baseAddress.map { $0 + done }, bytes.count - done) }
            guard count > 0 else { throw StorageError(errno: count == 0 ? EIO : errno, "write", path) }
            done += count
        }
    }

    /// Writes all bytes at a position of the file. The descriptor's own position stays.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64, _ path: [UInt8]) throws(StorageError) {
        var done = 0
        while done < bytes.count {
            let place = off_t(clamping: offset + UInt64(done))
            let count = retrying { pwrite(number, bytes.baseAddress.map { $0 + done }, bytes.count - done, place) }
            guard count > 0 else { throw StorageError(errno: count == 0 ? EIO : errno, "write", path) }
            done += count
        }
    }

    /// Reads at most as many bytes as the buffer has.
    ///
    /// - Returns: the number of bytes read; 0 at the end of the file.
    func read(into bytes: UnsafeMutableRawBufferPointer, _ path: [UInt8]) throws(StorageError) -> Int {
        let count = retrying { Glibc.read(number, bytes.baseAddress, bytes.count) }
        guard count >= 0 else { throw StorageError(errno: errno, "read", path) }
        return count
    }

    /// Reads at most as many bytes as the buffer has, from a position of the file. The descriptor's own position stays.
    ///
    /// - Returns: the number of bytes read; 0 at the end of the file.
    func read(
        into bytes: UnsafeMutableRawBufferPointer, at offset: UInt64, _ path: [UInt8]
    ) throws(StorageError) -> Int {
        let count = retrying { pread(number, bytes.baseAddress, bytes.count, off_t(clamping: offset)) }
        guard count >= 0 else { throw StorageError(errno: errno, "read", path) }
        return count
    }

    /// The size of the pieces that a file is read in.
    static var chunkBytes: Int { 1 << 20 }

    /// The hash of everything from the descriptor's position to the end of the file.
    ///
    /// - Parameter each: gets each piece before the next one is read.
    func digest(
        _ path: [UInt8], each: (UnsafeRawBufferPointer) throws(StorageError) -> Void = { _ in }
    ) throws(StorageError) -> SHA256Value {
        var hasher = SHA256Hasher()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkBytes, alignment: 64)
        defer { buffer.deallocate() }
        while true {
            let count = try read(into: buffer, path)
            if count == 0 { return hasher.finish() }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            hasher.update(bytes)
            try each(bytes)
        }
    }
}

/// Repeats a system call for as long as signals interrupt it.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}

extension [UInt8] {
    /// The bytes and a zero, for the kernel.
    var cString: [CChar] { map(CChar.init(bitPattern:)) + [0] }

    /// Calls `body` with the bytes and a zero, without an array on the heap.
    func withCString<Value>(_ body: (UnsafePointer<CChar>) -> Value) -> Value {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: count + 1) { copy in
            for (index, byte) in enumerated() { copy[index] = CChar(bitPattern: byte) }
            copy[count] = 0
            return copy.baseAddress.map { body($0) } ?? body("")
        }
    }
}
