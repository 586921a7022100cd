public import Digest
internal import Glibc

/// A regular file open for reading. Its descriptor can be sent to another process, which then needs no permission to
/// open the file.
///
/// Read by offset, so that processes sharing it do not interfere.
public final class OpenFile: Sendable {
    /// For errors.
    public let path: [UInt8]
    /// Facts when the file was opened.
    public let facts: FileFacts
    let file: Descriptor

    /// Opens a file below a root. Throws `wrongKind` for anything but a regular file.
    public convenience init(_ path: [UInt8], in root: Root) throws(StorageError) {
        // O_NONBLOCK: opening a pipe must not wait for a writer.
        try self.init(root.open(path, "read", flags: O_RDONLY | O_NONBLOCK), path)
    }

    /// Takes over a descriptor from another process, and closes it with the value, also on error. `path` is for errors.
    /// Throws `wrongKind` for anything but a regular file.
    public convenience init(owning descriptor: Int32, path: [UInt8]) throws(StorageError) {
        try self.init(Descriptor(owning: descriptor), path)
    }

    private init(_ file: consuming Descriptor, _ path: [UInt8]) throws(StorageError) {
        let facts = try file.facts("read", path)
        guard facts.kind == .file else { throw StorageError(.wrongKind, "read", path) }
        self.path = path
        self.facts = facts
        self.file = file
    }

    /// For the process that reads the file. Valid as long as this value.
    public var descriptor: Int32 { file.number }

    /// Starts reading the whole file into the cache.
    public func announce() { file.announce(byteCount: Int(clamping: facts.sizeBytes)) }

    /// Current facts. Throws `changed` if the file changed since it was opened.
    func checkUnchanged() throws(StorageError) -> FileFacts {
        let after = try file.facts("read", path)
        guard after.isUnchanged(since: facts) else { throw StorageError(.changed, "read", path) }
        return after
    }
}

extension OpenFile {
    /// Reads and hashes the file. Throws `changed` if it is not the expected file or changed meanwhile; `tooLarge`
    /// above `limitBytes`, before reading.
    public func read(
        into buffer: inout FileBuffer, limitBytes: UInt64, expecting: ExpectedFile? = nil
    ) throws(StorageError) -> FileDigest {
        var hasher = SHA256Hasher()
        let facts = unsafe try load(into: &buffer, limitBytes: limitBytes, expecting: expecting) {
            unsafe hasher.update($0)
        }
        return FileDigest(digest: hasher.finish(), facts: facts)
    }

    /// Reads the file without hashing it; throws like `read`. `take` receives each piece while it is in the processor's
    /// cache.
    public func load(
        into buffer: inout FileBuffer, limitBytes: UInt64, expecting: ExpectedFile? = nil,
        _ take: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws(StorageError) -> FileFacts {
        let reader = try FileReader(self, limitBytes: limitBytes, expecting: expecting)
        let space = unsafe buffer.space(Int(facts.sizeBytes))
        unsafe try reader.fill(space, fresh: buffer.fresh, take)
        let facts = try checkUnchanged()
        buffer.filled(space.count)
        return facts
    }

    /// Reads a small file. Throws `tooLarge` above `limitBytes`; `changed` if it changed meanwhile.
    public func contents(limitBytes: UInt64) throws(StorageError) -> [UInt8] {
        let reader = try FileReader(self, limitBytes: limitBytes)
        var bytes = [UInt8](repeating: 0, count: Int(facts.sizeBytes))
        var span = bytes.mutableSpan
        unsafe try span.withUnsafeMutableBytes { (space) throws(StorageError) in unsafe try reader.fill(space) }
        _ = try checkUnchanged()
        return bytes
    }
}

extension OpenFile {
    /// Reads bytes from an offset, fewer at the end of the file.
    ///
    /// - Parameter count: allocated in advance.
    public func bytes(from offset: UInt64, count: Int) throws(StorageError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        var span = bytes.mutableSpan
        unsafe try span.withUnsafeMutableBytes { (space) throws(StorageError) in
            while done < count {
                let (place, isBeyond) = offset.addingReportingOverflow(UInt64(done))
                if isBeyond { return }
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: space[done...])
                let read = unsafe try file.read(into: rest, at: place, path)
                if read == 0 { return }
                done += read
            }
        }
        return Array(bytes.prefix(done))
    }
}

/// Hashes a file piece by piece, between other work.
///
/// Safe: the buffer is private and valid as long as the value.
@safe public struct FileHasher: ~Copyable {
    private let file: OpenFile
    private let buffer: UnsafeMutableRawBufferPointer
    private var hasher: SHA256Hasher? = SHA256Hasher()
    private var doneBytes: UInt64 = 0
    private var digest: SHA256Value?

    /// Reads nothing yet.
    public init(_ file: OpenFile) {
        self.file = file
        unsafe buffer = .allocate(byteCount: Descriptor.chunkBytes, alignment: 64)
    }

    deinit { unsafe buffer.deallocate() }

    /// Whether all pieces are hashed.
    public var isDone: Bool { digest != nil || doneBytes >= file.facts.sizeBytes }

    /// Hashes the next piece, if any. Throws `changed` if the file became shorter.
    public mutating func advance() throws(StorageError) {
        if isDone { return }
        let wanted = unsafe min(UInt64(buffer.count), file.facts.sizeBytes - doneBytes)
        let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(wanted)])
        let count = unsafe try file.file.read(into: piece, at: doneBytes, file.path)
        if count == 0 { throw StorageError(.changed, "read", file.path) }
        unsafe hasher?.update(UnsafeRawBufferPointer(rebasing: piece[..<count]))
        doneBytes += UInt64(count)
    }

    /// Hashes the rest and returns the digest of the whole file. Throws `changed` if the file changed since it was
    /// opened.
    public mutating func finish() throws(StorageError) -> SHA256Value {
        if let digest { return digest }
        while !isDone { try advance() }
        _ = try file.checkUnchanged()
        let value = hasher.take()?.finish() ?? SHA256Value(of: [])
        digest = value
        return value
    }
}
