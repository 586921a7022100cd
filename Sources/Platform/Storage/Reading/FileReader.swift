public import Digest
internal import Glibc
internal import Memory

/// What a file is expected to look like. Another size or time means another file.
public struct ExpectedFile: Hashable, Sendable {
    /// The expected size.
    public let sizeBytes: UInt64
    /// The expected time of the last change, in nanoseconds since 1970.
    public let modifiedNanoseconds: Int64

    /// - Parameters:
    ///   - sizeBytes: the expected size.
    ///   - modifiedNanoseconds: the expected time of the last change, in nanoseconds since 1970.
    public init(sizeBytes: UInt64, modifiedNanoseconds: Int64) {
        self.sizeBytes = sizeBytes
        self.modifiedNanoseconds = modifiedNanoseconds
    }

    func matches(_ facts: FileFacts) -> Bool {
        sizeBytes == facts.sizeBytes && modifiedNanoseconds == facts.modifiedNanoseconds
    }
}

/// The SHA-256 of a file's bytes, and the file's facts when they were read.
public struct FileDigest: Hashable, Sendable {
    /// SHA-256 of all bytes.
    public let digest: SHA256Value
    /// Size, time and identity of the file that was read.
    public let facts: FileFacts
}

/// One regular file that is read from its beginning. It notices when the file changes meanwhile.
struct FileReader {
    private let file: OpenFile
    private var path: [UInt8] { file.path }
    /// The file's facts when it was opened.
    var facts: FileFacts { file.facts }

    /// Opens a file and checks it before anything is read.
    ///
    /// - Throws: `wrongKind` for anything but a regular file, `changed` if it is not the file expected, `tooLarge` for
    ///   more than `limitBytes`.
    init(
        _ path: [UInt8], in root: Root, limitBytes: UInt64 = .max, expecting: ExpectedFile? = nil
    ) throws(StorageError) {
        try self.init(OpenFile(path, in: root), limitBytes: limitBytes, expecting: expecting)
    }

    /// Checks a file before anything is read.
    ///
    /// - Throws: `changed` if it is not the file expected, `tooLarge` for more than `limitBytes`.
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
    ///   - fresh: the pages of the space, if the system has yet to provide them. They are touched piece by piece, so
    ///     that another thread can work on the first pieces before the last ones exist.
    ///   - take: gets each piece while it is in the processor's cache.
    func fill(
        _ space: UnsafeMutableRawBufferPointer, fresh: FreshPages? = nil,
        _ take: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws(StorageError) {
        var done = 0
        while done < space.count {
            let range = done..<min(done + Descriptor.chunkBytes, space.count)
            fresh?.populate(range)
            let piece = UnsafeMutableRawBufferPointer(rebasing: space[range])
            let count = try file.file.read(into: piece, at: UInt64(done), path)
            if count == 0 { throw StorageError(.changed, "read", path) }
            take(UnsafeRawBufferPointer(rebasing: piece[..<count]))
            done += count
        }
    }

    /// The file's first bytes: `byteCount` of them, or all if it has fewer.
    func prefix(byteCount: Int) throws(StorageError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(min(facts.sizeBytes, UInt64(byteCount))))
        var done = 0
        while done < bytes.count {
            var span = bytes.mutableSpan
            let count = try span.withUnsafeMutableBytes { (space) throws(StorageError) in
                try file.file.read(
                    into: UnsafeMutableRawBufferPointer(rebasing: space[done...]), at: UInt64(done), path)
            }
            if count == 0 { break }
            done += count
        }
        bytes.removeSubrange(done...)
        return bytes
    }

    /// Makes the kernel begin to read the file's first bytes, so that a reader waits less for them.
    func announce(byteCount: Int) {
        file.file.announce(byteCount: Int(clamping: min(UInt64(clamping: byteCount), facts.sizeBytes)))
    }

    /// The hash of all bytes, for a file that was not read before.
    ///
    /// - Parameter each: gets each piece before the next one is read.
    func digest(
        each: (UnsafeRawBufferPointer) throws(StorageError) -> Void = { _ in }
    ) throws(StorageError) -> SHA256Value {
        try file.file.digest(path, each: each)
    }

    /// The file's facts after reading.
    ///
    /// - Throws: `changed` if the file changed since it was opened.
    func checkUnchanged() throws(StorageError) -> FileFacts { try file.checkUnchanged() }
}

/// Reading whole files. Each of these throws `wrongKind` for anything but a regular file.
extension Root {
    /// Reads a file into a buffer and hashes it on the way.
    ///
    /// - Throws: `changed` if it is not the file expected or changed while it was read; `tooLarge` for more than
    ///   `limitBytes`, before anything is read.
    public func read(
        _ path: [UInt8], into buffer: inout FileBuffer, limitBytes: UInt64, expecting: ExpectedFile? = nil
    ) throws(StorageError) -> FileDigest {
        try OpenFile(path, in: self).read(into: &buffer, limitBytes: limitBytes, expecting: expecting)
    }

    /// Reads a file into a buffer without hashing it.
    ///
    /// - Parameter take: gets each piece while it is in the processor's cache.
    /// - Throws: as `read(_:into:limitBytes:expecting:)`.
    public func load(
        _ path: [UInt8], into buffer: inout FileBuffer, limitBytes: UInt64, expecting: ExpectedFile? = nil,
        _ take: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws(StorageError) -> FileFacts {
        try OpenFile(path, in: self).load(into: &buffer, limitBytes: limitBytes, expecting: expecting, take)
    }

    /// The bytes of a small file.
    ///
    /// - Throws: `tooLarge` for more than `limitBytes`; `changed` if it changed while it was read.
    public func contents(of path: [UInt8], limitBytes: UInt64) throws(StorageError) -> [UInt8] {
        try OpenFile(path, in: self).contents(limitBytes: limitBytes)
    }

    /// A file's first bytes: `byteCount` of them, or all if it has fewer.
    public func prefix(of path: [UInt8], byteCount: Int) throws(StorageError) -> [UInt8] {
        try FileReader(path, in: self).prefix(byteCount: byteCount)
    }

    /// Says that a file will be read: its folder, its facts and its first bytes come from the disk now.
    ///
    /// A file that cannot be read loses nothing by it: whoever reads it finds out why.
    public func announce(_ path: [UInt8], byteCount: Int) {
        if let reader = try? FileReader(path, in: self) { reader.announce(byteCount: byteCount) }
    }

    /// The SHA-256 of a file, which is read piece by piece.
    ///
    /// - Throws: `changed` if it is not the file expected or changed while it was read.
    public func digest(of path: [UInt8], expecting: ExpectedFile? = nil) throws(StorageError) -> FileDigest {
        let reader = try FileReader(path, in: self, expecting: expecting)
        let digest = try reader.digest()
        return FileDigest(digest: digest, facts: try reader.checkUnchanged())
    }
}
