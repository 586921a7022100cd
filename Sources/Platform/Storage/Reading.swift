public import Digest
internal import Glibc
internal import Memory

/// Memory for whole files, kept from one to the next.
public struct FileBuffer: ~Copyable, Sendable {
    private var memory = MemoryBlock(byteCount: 0)
    /// Nil where the memory's pages are there.
    fileprivate private(set) var fresh: FreshPages?
    private var count = 0

    public init() {}

    /// The file last read. Valid until the next read or the buffer's end.
    public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory.bytes[..<count]) }

    /// Gives back memory beyond the limit, so that one huge file does not weigh on all that follow.
    public mutating func trim(toBytes limit: Int) {
        if memory.bytes.count > limit { replace(capacity: 0) }
    }

    fileprivate mutating func space(_ needed: Int) -> UnsafeMutableRawBufferPointer {
        if memory.bytes.count < needed { replace(capacity: needed) }
        count = 0
        return UnsafeMutableRawBufferPointer(rebasing: memory.bytes[..<needed])
    }

    fileprivate mutating func filled(_ bytes: Int) {
        count = bytes
        fresh = nil
    }

    private mutating func replace(capacity: Int) {
        // First the old one goes, which may become a part of the new one.
        memory = MemoryBlock(byteCount: 0)
        memory = MemoryBlock(byteCount: capacity, populatesLater: true)
        fresh = memory.fresh
        count = 0
    }
}

/// What a file is expected to look like; another size or time is another file.
public struct ExpectedFile: Hashable, Sendable {
    public let sizeBytes: UInt64
    public let modifiedNanoseconds: Int64

    public init(sizeBytes: UInt64, modifiedNanoseconds: Int64) {
        self.sizeBytes = sizeBytes
        self.modifiedNanoseconds = modifiedNanoseconds
    }

    func fits(_ facts: FileFacts) -> Bool {
        sizeBytes == facts.sizeBytes && modifiedNanoseconds == facts.modifiedNanoseconds
    }
}

/// A file's bytes by digest, and what it was when they were read.
public struct FileDigest: Hashable, Sendable {
    public let digest: SHA256Value
    public let facts: FileFacts
}

extension Root {
    /// Reads a whole regular file, and hashes it on the way.
    ///
    /// - Throws: `changed` where it is not the file expected, or did not stay as it was while it was read;
    ///   `tooLarge` for more than `limitBytes`, before anything is read.
    public func read(
        _ path: [UInt8], into buffer: inout FileBuffer, limitBytes: UInt64, expecting: ExpectedFile? = nil
    ) throws(StorageError) -> FileDigest {
        var hasher = SHA256Hasher()
        let facts = try load(path, into: &buffer, limitBytes: limitBytes, expecting: expecting) { hasher.update($0) }
        return FileDigest(digest: hasher.finish(), facts: facts)
    }

    /// The same without a hash.
    ///
    /// - Parameter take: gets each piece while it is in the processor's cache.
    public func load(
        _ path: [UInt8], into buffer: inout FileBuffer, limitBytes: UInt64, expecting: ExpectedFile? = nil,
        _ take: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws(StorageError) -> FileFacts {
        let file = try openForReading(path)
        let before = try checked(file, path, limitBytes: limitBytes, expecting: expecting)
        let space = buffer.space(Int(before.sizeBytes))
        try read(file, path, into: space, fresh: buffer.fresh, take)
        let after = try file.facts("read", path)
        guard after.isUnchanged(since: before) else { throw StorageError(.changed, "read", path) }
        buffer.filled(space.count)
        return after
    }

    /// Fills the space from the file, and hands on each piece while it is in the processor's cache.
    ///
    /// - Parameter fresh: the space, where its pages are to be made: each piece's in its turn, so that whoever takes
    ///   the pieces on another thread need not wait for all.
    private func read(
        _ file: borrowing Descriptor, _ path: [UInt8], into space: UnsafeMutableRawBufferPointer,
        fresh: FreshPages? = nil, _ take: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws(StorageError) {
        var done = 0
        while done < space.count {
            let range = done..<min(done + Descriptor.chunkBytes, space.count)
            fresh?.populate(range)
            let part = UnsafeMutableRawBufferPointer(rebasing: space[range])
            let count = try file.read(into: part, path)
            if count == 0 { throw StorageError(.changed, "read", path) }
            take(UnsafeRawBufferPointer(rebasing: part[..<count]))
            done += count
        }
    }

    /// A whole small file.
    public func contents(of path: [UInt8], limitBytes: UInt64) throws(StorageError) -> [UInt8] {
        let file = try openForReading(path)
        let before = try checked(file, path, limitBytes: limitBytes, expecting: nil)
        var bytes = [UInt8](repeating: 0, count: Int(before.sizeBytes))
        // Not a throwing closure: `withUnsafeMutableBytes` does not rethrow a typed error.
        let result = bytes.withUnsafeMutableBytes { space in
            Result { () throws(StorageError) in try read(file, path, into: space) }
        }
        try result.get()
        guard try file.facts("read", path).isUnchanged(since: before) else {
            throw StorageError(.changed, "read", path)
        }
        return bytes
    }

    /// The first bytes of a file, as many as it has up to `byteCount`.
    public func prefix(of path: [UInt8], byteCount: Int) throws(StorageError) -> [UInt8] {
        let file = try openForReading(path)
        let facts = try checked(file, path, limitBytes: .max, expecting: nil)
        let space = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Int(min(facts.sizeBytes, UInt64(byteCount))), alignment: 64)
        defer { space.deallocate() }
        var done = 0
        while done < space.count {
            let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: space[done...]), path)
            if count == 0 { break }
            done += count
        }
        return Array(space[..<done])
    }

    /// The SHA-256 of a file, which is not held in memory.
    public func identity(of path: [UInt8], expecting: ExpectedFile? = nil) throws(StorageError) -> FileDigest {
        let file = try openForReading(path)
        let before = try checked(file, path, limitBytes: .max, expecting: expecting)
        let digest = try file.digest(path)
        let after = try file.facts("read", path)
        guard after.isUnchanged(since: before) else { throw StorageError(.changed, "read", path) }
        return FileDigest(digest: digest, facts: after)
    }

    /// Does not wait for a writer where the path names a pipe.
    func openForReading(_ path: [UInt8]) throws(StorageError) -> Descriptor {
        try open(path, "read", flags: O_RDONLY | O_NONBLOCK)
    }

    func checked(
        _ file: borrowing Descriptor, _ path: [UInt8], limitBytes: UInt64, expecting: ExpectedFile?
    ) throws(StorageError) -> FileFacts {
        let facts = try file.facts("read", path)
        guard facts.kind == .file else { throw StorageError(.wrongKind, "read", path) }
        if let expecting, !expecting.fits(facts) { throw StorageError(.changed, "read", path) }
        guard facts.sizeBytes <= min(limitBytes, UInt64(Int.max)) else { throw StorageError(.tooLarge, "read", path) }
        return facts
    }
}
