public import Digest
internal import Glibc
internal import Memory

/// Expected size and time, which identify a version of a file.
public struct ExpectedFile: Hashable, Sendable {
    /// Expected size.
    public let sizeBytes: UInt64
    /// Expected modification time, in nanoseconds since 1970.
    public let modifiedNanoseconds: Int64

    /// - Parameter modifiedNanoseconds: since 1970.
    public init(sizeBytes: UInt64, modifiedNanoseconds: Int64) {
        self.sizeBytes = sizeBytes
        self.modifiedNanoseconds = modifiedNanoseconds
    }

    func matches(_ facts: FileFacts) -> Bool {
        sizeBytes == facts.sizeBytes && modifiedNanoseconds == facts.modifiedNanoseconds
    }
}

/// A file's SHA-256, and its facts at that time.
public struct FileDigest: Hashable, Sendable {
    /// SHA-256 of all bytes.
    public let digest: SHA256Value
    /// Size, time and identity of the file.
    public let facts: FileFacts
}

/// Reads a regular file from its start, detecting changes meanwhile.
struct FileReader {
    private let file: OpenFile
    private var path: [UInt8] { file.path }
    var facts: FileFacts { file.facts }

    /// Opens a file and checks it before reading. Throws `wrongKind` for anything but a regular file, `changed` if it
    /// is not the expected file, `tooLarge` above `limitBytes`.
    init(
        _ path: [UInt8], in root: Root, limitBytes: UInt64 = .max, expecting: ExpectedFile? = nil
    ) throws(StorageError) {
        try self.init(OpenFile(path, in: root), limitBytes: limitBytes, expecting: expecting)
    }

    /// Checks a file before reading. Throws `changed` if it is not the expected file, `tooLarge` above `limitBytes`.
    init(_ file: OpenFile, limitBytes: UInt64 = .max, expecting: ExpectedFile? = nil) throws(StorageError) {
        if let expecting, !expecting.matches(file.facts) { throw StorageError(.changed, "read", file.path) }
        guard file.facts.sizeBytes <= min(limitBytes, UInt64(Int.max)) else {
            throw StorageError(.tooLarge, "read", file.path)
        }
        self.file = file
    }

    /// Fills the space from the file.
    ///
    /// - Parameters:
    ///   - fresh: unpopulated pages of the space. They are populated piece by piece, so that another thread can already
    ///     process the first pieces.
    ///   - take: receives each piece while it is in the processor's cache.
    func fill(
        _ space: UnsafeMutableRawBufferPointer, fresh: FreshPages? = nil,
        _ take: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws(StorageError) {
        var done = 0
        while done < space.count {
            let range = done..<min(done + Descriptor.chunkBytes, space.count)
            fresh?.populate(range)
            let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: space[range])
            let count = unsafe try file.file.read(into: piece, at: UInt64(done), path)
            if count == 0 { throw StorageError(.changed, "read", path) }
            unsafe take(UnsafeRawBufferPointer(rebasing: piece[..<count]))
            done += count
        }
    }

    /// The first `byteCount` bytes, or all if there are fewer.
    func prefix(byteCount: Int) throws(StorageError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(min(facts.sizeBytes, UInt64(byteCount))))
        var done = 0
        while done < bytes.count {
            var span = bytes.mutableSpan
            let count = unsafe try span.withUnsafeMutableBytes { (space) throws(StorageError) in
                unsafe try file.file.read(
                    into: UnsafeMutableRawBufferPointer(rebasing: space[done...]), at: UInt64(done), path)
            }
            if count == 0 { break }
            done += count
        }
        bytes.removeSubrange(done...)
        return bytes
    }

    func announce(byteCount: Int) {
        file.file.announce(byteCount: Int(clamping: min(UInt64(clamping: byteCount), facts.sizeBytes)))
    }

    /// Hashes the whole file, which must not have been read before.
    ///
    /// - Parameter each: receives each piece before the next is read.
    func digest(
        each: (UnsafeRawBufferPointer) throws(StorageError) -> Void = { _ in }
    ) throws(StorageError) -> SHA256Value {
        unsafe try file.file.digest(path, each: each)
    }

    /// Facts after reading. Throws `changed` if the file changed since it was opened.
    func checkUnchanged() throws(StorageError) -> FileFacts { try file.checkUnchanged() }
}

/// Reading whole files. Throws `wrongKind` for anything but a regular file.
extension Root {
    /// Reads and hashes a file. Throws `changed` if it is not the expected file or changed meanwhile; `tooLarge` above
    /// `limitBytes`, before reading.
    public func read(
        _ path: [UInt8], into buffer: inout FileBuffer, limitBytes: UInt64, expecting: ExpectedFile? = nil
    ) throws(StorageError) -> FileDigest {
        try OpenFile(path, in: self).read(into: &buffer, limitBytes: limitBytes, expecting: expecting)
    }

    /// Reads a file without hashing it; throws like `read`. `take` receives each piece while it is in the processor's
    /// cache.
    public func load(
        _ path: [UInt8], into buffer: inout FileBuffer, limitBytes: UInt64, expecting: ExpectedFile? = nil,
        _ take: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws(StorageError) -> FileFacts {
        unsafe try OpenFile(path, in: self).load(into: &buffer, limitBytes: limitBytes, expecting: expecting, take)
    }

    /// Reads a small file. Throws `tooLarge` above `limitBytes`; `changed` if it changed meanwhile.
    public func contents(of path: [UInt8], limitBytes: UInt64) throws(StorageError) -> [UInt8] {
        try OpenFile(path, in: self).contents(limitBytes: limitBytes)
    }

    /// The first `byteCount` bytes of a file, or all if there are fewer.
    public func prefix(of path: [UInt8], byteCount: Int) throws(StorageError) -> [UInt8] {
        try FileReader(path, in: self).prefix(byteCount: byteCount)
    }

    /// Starts reading a file's folder, facts and first bytes into the cache. Errors are ignored: the actual read
    /// reports them.
    public func announce(_ path: [UInt8], byteCount: Int) {
        if let reader = try? FileReader(path, in: self) { reader.announce(byteCount: byteCount) }
    }

    /// Hashes a file piece by piece. Throws `changed` if it is not the expected file or changed meanwhile.
    public func digest(of path: [UInt8], expecting: ExpectedFile? = nil) throws(StorageError) -> FileDigest {
        let reader = try FileReader(path, in: self, expecting: expecting)
        let digest = unsafe try reader.digest()
        return FileDigest(digest: digest, facts: try reader.checkUnchanged())
    }
}
