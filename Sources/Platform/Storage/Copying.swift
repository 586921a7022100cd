public import Digest
internal import Glibc

extension Root {
    /// Copies a file into this root as `publish` does, and checks what arrived by its hash.
    ///
    /// - Parameter digest: what the bytes must be; a source of other bytes is `changed`, and nothing gets the name.
    public func publishCopy(
        of source: [UInt8], in root: Root, digest: SHA256Value, at path: [UInt8], existing: ExistingFile = .keep
    ) throws(StorageError) -> Publication {
        let file = try root.openForReading(source)
        let facts = try root.checked(file, source, limitBytes: .max, expecting: nil)
        let contents = Contents(sizeBytes: facts.sizeBytes, digest: { digest }) { target throws(StorageError) in
            guard try self.copy(file, source, to: target, path) == digest else {
                throw StorageError(.changed, "copy", source)
            }
            try target.sync(path)
            guard try self.written(target, path) == digest else { throw StorageError(.changed, "copy", path) }
        }
        return try publish(contents, at: path, existing: existing)
    }

    /// Copies, and returns the hash of what was read.
    private func copy(
        _ file: borrowing Descriptor, _ source: [UInt8], to target: borrowing Descriptor, _ path: [UInt8]
    ) throws(StorageError) -> SHA256Value {
        try file.digest(source) { (bytes) throws(StorageError) in try target.write(bytes, path) }
    }

    /// The hash of what stands in the file: read from the disk, not from the cache, where the system allows.
    private func written(_ file: borrowing Descriptor, _ path: [UInt8]) throws(StorageError) -> SHA256Value {
        posix_fadvise(file.number, 0, 0, POSIX_FADV_DONTNEED)
        guard lseek(file.number, 0, SEEK_SET) == 0 else { throw StorageError(errno: errno, "read", path) }
        return try file.digest(path)
    }
}
