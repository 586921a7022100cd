internal import Glibc

/// Mapped pages with one owner, unmapped on destruction.
@safe struct Pages: ~Copyable, @unchecked Sendable {
    // `@unchecked`: memory with one owner, which a noncopyable value enforces.

    /// Page-aligned.
    let start: UnsafeMutableRawPointer
    let byteCount: Int
    /// True until first used by a block: the kernel has not backed the pages with memory.
    var isFresh = true
    /// The whole mapping, including alignment. Untouched pages take no memory.
    private let mapped: UnsafeMutableRawBufferPointer

    /// 2 MB: one page table entry instead of 512.
    static let hugePageBytes = 1 << 21

    /// Nil if memory is exhausted. Large mappings are aligned to huge pages and request them.
    init?(byteCount: Int) {
        let isLarge = byteCount >= 2 * Self.hugePageBytes
        let (count, overflow) = byteCount.addingReportingOverflow(isLarge ? Self.hugePageBytes : 0)
        guard !overflow else { return nil }
        let first = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let first = unsafe first, unsafe first != MAP_FAILED else { return nil }
        unsafe mapped = unsafe UnsafeMutableRawBufferPointer(start: first, count: count)
        unsafe start = unsafe isLarge ? first.alignedUp(toMultipleOf: Self.hugePageBytes) : first
        self.byteCount = byteCount
        // Fails on kernels without huge pages.
        if isLarge { unsafe madvise(start, byteCount, MADV_HUGEPAGE) }
    }

    deinit { unsafe munmap(mapped.baseAddress, mapped.count) }
}

/// Pages of a fresh block that the kernel has not backed with memory. Valid while the block lives.
@safe public struct FreshPages: @unchecked Sendable {
    // `@unchecked`: threads may populate even the same pages concurrently; the kernel orders them.

    let start: UnsafeMutableRawPointer
    /// Length of the block in bytes.
    public let count: Int
    private static let pageBytes = Int(getpagesize())

    init(start: UnsafeMutableRawPointer, count: Int) {
        unsafe self.start = unsafe start
        self.count = count
    }

    /// Populates a range of the block that is about to be written. Page faults would take twice as long.
    public func populate(_ range: Range<Int>) {
        let first = range.lowerBound / Self.pageBytes * Self.pageBytes
        // Kernels before 5.14 refuse; page faults then populate the pages.
        unsafe madvise(start + first, range.upperBound - first, MADV_POPULATE_WRITE)
    }

    /// Populates one of several equal shares, 0 to `shares - 1`, so that threads can divide the block.
    public func populate(share: Int, of shares: Int) {
        populate(count * share / shares..<count * (share + 1) / shares)
    }
}
