internal import Memory

/// Memory for whole files, reused from one file to the next.
public struct FileBuffer: ~Copyable, Sendable {
    private var memory = MemoryBlock(byteCount: 0)
    /// The pages that the system has yet to provide; nil once the memory was filled.
    private(set) var fresh: FreshPages?
    private var count = 0

    /// An empty buffer; it grows with the first file that is read into it.
    public init() {}

    /// The file last read. Valid until the next read or the end of the buffer.
    public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory.bytes[..<count]) }

    /// Frees the memory if it is larger than the limit, so that one huge file does not weigh on all that follow.
    public mutating func trim(toBytes limit: Int) {
        if memory.bytes.count > limit { replace(capacity: 0) }
    }

    /// Memory of that size, whose contents are undefined.
    mutating func space(_ byteCount: Int) -> UnsafeMutableRawBufferPointer {
        if memory.bytes.count < byteCount { replace(capacity: byteCount) }
        count = 0
        return UnsafeMutableRawBufferPointer(rebasing: memory.bytes[..<byteCount])
    }

    /// Says that the first bytes hold a file now.
    mutating func filled(_ byteCount: Int) {
        count = byteCount
        fresh = nil
    }

    private mutating func replace(capacity: Int) {
        // The old block goes first: its memory may become a part of the new one.
        memory = MemoryBlock(byteCount: 0)
        memory = MemoryBlock(byteCount: capacity, populatesLater: true)
        fresh = memory.fresh
        count = 0
    }
}
