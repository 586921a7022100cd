internal import Glibc

extension OpenFolder {
    /// Reads `count` bytes from `offset`, fewer at the end of the file. Does not follow links. Throws `wrongKind` for
    /// anything but a regular file.
    public func bytes(of name: [UInt8], at offset: UInt64, count: Int) throws(StorageError) -> [UInt8] {
        let flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC
        let number = retrying { unsafe name.withCString { unsafe openat(self.number, $0, flags) } }
        guard number >= 0 else { throw StorageError(errno: errno, "read", name) }
        let file = Descriptor(owning: number)
        let facts = try file.facts("read", name)
        guard facts.kind == .file else { throw StorageError(.wrongKind, "read", name) }
        guard count > 0, offset < facts.sizeBytes, lseek(file.number, off_t(clamping: offset), SEEK_SET) >= 0 else {
            return []
        }
        var bytes = [UInt8](repeating: 0, count: Int(min(UInt64(count), facts.sizeBytes - offset)))
        var done = 0
        while done < bytes.count {
            var span = bytes.mutableSpan
            let read = unsafe try span.withUnsafeMutableBytes { (space) throws(StorageError) in
                unsafe try file.read(into: UnsafeMutableRawBufferPointer(rebasing: space[done...]), name)
            }
            if read == 0 { break }
            done += read
        }
        bytes.removeSubrange(done...)
        return bytes
    }
}
