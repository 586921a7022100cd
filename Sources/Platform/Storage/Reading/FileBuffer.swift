internal import Memory

/// Memory for whole files, reused between files.
public struct FileBuffer: ~Copyable, Sendable {
    private var memory = MemoryBlock(byteCount: 0)
    /// Pages that the system has not populated yet; nil once the memory was filled.
    private(set) var fresh: FreshPages?
    private var count = 0

    /// An empty buffer, which grows as needed.
    public init() {}

    /// The file last read. Valid until the next read or the end of the buffer.
    public var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(rebasing: memory.bytes[..<count]) }

    /// Frees the memory if it exceeds the limit, so that one huge file does not cost memory for ever.
    public mutating func trim(toBytes limit: Int) {
        if unsafe memory.bytes.count > limit { replace(capacity: 0) }
    }

    mutating func space(_ byteCount: Int) -> UnsafeMutableRawBufferPointer {
        if unsafe memory.bytes.count < byteCount { replace(capacity: byteCount) }
        count = 0
        return unsafe UnsafeMutableRawBufferPointer(rebasing: memory.bytes[..<byteCount])
    }

    mutating func filled(_ byteCount: Int) {
        count = byteCount
        fresh = nil
    }

    private mutating func replace(capacity: Int) {
        // The old block goes first, so that its memory can be reused.
        memory = MemoryBlock(byteCount: 0)
        memory = MemoryBlock(byteCount: capacity, populatesLater: true)
        fresh = memory.fresh
        count = 0
    }
}
