internal import CFiles
internal import Digest
internal import Glibc

/// An open file or folder, closed with the value.
struct Descriptor: ~Copyable, Sendable {
    let number: Int32

    init(owning number: Int32) { self.number = number }

    deinit { close(number) }

    func facts(_ action: String, _ path: [UInt8]) throws(StorageError) -> FileFacts {
        var status = stat()
        guard unsafe rawmill_fstat(number, &status) == 0 else { throw StorageError(errno: errno, action, path) }
        return FileFacts(status)
    }

    /// Starts writing the file's bytes to disk, so that a later `sync` waits less. A hint: errors are ignored.
    func beginSync() { _ = rawmill_begin_sync(number) }

    /// Starts reading the start of the file into the cache, where the file system supports it. The kernel limits each
    /// request to its read-ahead, at least 128 kB, hence the steps.
    func announce(byteCount: Int) {
        let step = 128 << 10
        for start in stride(from: 0, to: byteCount, by: step) {
            posix_fadvise(number, off_t(start), off_t(min(step, byteCount - start)), POSIX_FADV_WILLNEED)
        }
    }

    /// Waits until the file's bytes, or the folder's entries, survive a power failure.
    func sync(_ path: [UInt8]) throws(StorageError) {
        guard retrying({ fsync(number) }) == 0 else { throw StorageError(errno: errno, "save", path) }
    }

    /// Waits until everything on the file system survives a power failure. Returns false if that failed, or the file
    /// system is not known to do it.
    func syncFileSystem() -> Bool { retrying { rawmill_sync_file_system(number) } == 0 }

    var device: UInt64? { try? facts("look at", []).id.device }

    func write(_ bytes: UnsafeRawBufferPointer, _ path: [UInt8]) throws(StorageError) {
        var done = 0
        while done < bytes.count {
            let count = retrying {
                unsafe Glibc.write(number, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
            }
            guard count > 0 else { throw StorageError(errno: count == 0 ? EIO : errno, "write", path) }
            done += count
        }
    }

    /// Writes all bytes at an offset, without moving the current position.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64, _ path: [UInt8]) throws(StorageError) {
        var done = 0
        while done < bytes.count {
            let place = off_t(clamping: offset + UInt64(done))
            let count = retrying {
                unsafe pwrite(number, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done, place)
            }
            guard count > 0 else { throw StorageError(errno: count == 0 ? EIO : errno, "write", path) }
            done += count
        }
    }

    /// Reads up to the buffer's size. Returns the number of bytes read; 0 at the end of the file.
    func read(into bytes: UnsafeMutableRawBufferPointer, _ path: [UInt8]) throws(StorageError) -> Int {
        let count = retrying { unsafe Glibc.read(number, bytes.baseAddress, bytes.count) }
        guard count >= 0 else { throw StorageError(errno: errno, "read", path) }
        return count
    }

    /// Reads up to the buffer's size at an offset, without moving the current position. Returns the number of bytes
    /// read; 0 at the end of the file.
    func read(
        into bytes: UnsafeMutableRawBufferPointer, at offset: UInt64, _ path: [UInt8]
    ) throws(StorageError) -> Int {
        let count = retrying { unsafe pread(number, bytes.baseAddress, bytes.count, off_t(clamping: offset)) }
        guard count >= 0 else { throw StorageError(errno: errno, "read", path) }
        return count
    }

    static var chunkBytes: Int { 1 << 20 }

    /// The hash of the bytes from the current position to the end.
    ///
    /// - Parameter each: receives each piece before the next is read.
    func digest(
        _ path: [UInt8], each: (UnsafeRawBufferPointer) throws(StorageError) -> Void = { _ in }
    ) throws(StorageError) -> SHA256Value {
        var hasher = SHA256Hasher()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkBytes, alignment: 64)
        defer { unsafe buffer.deallocate() }
        while true {
            let count = unsafe try read(into: buffer, path)
            if count == 0 { return hasher.finish() }
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
            unsafe hasher.update(bytes)
            unsafe try each(bytes)
        }
    }
}

/// Repeats a system call while signals interrupt it.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}

extension [UInt8] {
    /// Zero-terminated, for the kernel.
    var cString: [CChar] { map(CChar.init(bitPattern:)) + [0] }

    /// Calls `body` with the zero-terminated bytes, without heap allocation.
    func withCString<Value>(_ body: (UnsafePointer<CChar>) -> Value) -> Value {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: count + 1) { copy in
            for (index, byte) in enumerated() { unsafe copy[index] = CChar(bitPattern: byte) }
            unsafe copy[count] = 0
            return unsafe copy.baseAddress.map { unsafe body($0) } ?? body("")
        }
    }
}
