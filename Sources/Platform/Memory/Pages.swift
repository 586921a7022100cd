internal import Glibc

/// Whole pages of the process's address space, mapped for one owner and unmapped with it.
@safe struct Pages: ~Copyable, @unchecked Sendable {
    // `@unchecked`: memory with one owner, which a noncopyable value enforces.

    /// The first byte, on a border of pages.
    let start: UnsafeMutableRawPointer
    let byteCount: Int
    /// True until a block has used them: the kernel has not backed them with memory yet.
    var isFresh = true
    /// All that is mapped. What is never touched takes no memory.
    private let mapped: UnsafeMutableRawBufferPointer

    /// What the kernel backs by one entry in the processor's table of pages, where it may, instead of 512.
    static let hugePageBytes = 1 << 21

    /// Nil where the system has no such memory left. Large ones begin on a border of huge pages, and ask for them.
    init?(byteCount: Int) {
        let isLarge = byteCount >= 2 * Self.hugePageBytes
        let (count, overflow) = byteCount.addingReportingOverflow(isLarge ? Self.hugePageBytes : 0)
        guard !overflow else { return nil }
        let first = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let first = unsafe first, unsafe first != MAP_FAILED else { return nil }
        unsafe mapped = unsafe UnsafeMutableRawBufferPointer(start: first, count: count)
        unsafe start = unsafe isLarge ? first.alignedUp(toMultipleOf: Self.hugePageBytes) : first
        self.byteCount = byteCount
        // A kernel that has none refuses.
        if isLarge { unsafe madvise(start, byteCount, MADV_HUGEPAGE) }
    }

    deinit { unsafe munmap(mapped.baseAddress, mapped.count) }
}

/// The pages of a fresh block, which the kernel has not backed with memory yet. Valid while the block lives.
@safe public struct FreshPages: @unchecked Sendable {
    // `@unchecked`: several threads may populate pages at once, even the same ones; the kernel orders them.

    let start: UnsafeMutableRawPointer
    /// Bytes of the block.
    public let count: Int
    private static let pageBytes = Int(getpagesize())

    init(start: UnsafeMutableRawPointer, count: Int) {
        unsafe self.start = unsafe start
        self.count = count
    }

    /// Makes the kernel back bytes that are about to be written: a page fault for each takes twice as long.
    ///
    /// - Parameter range: offsets in the block.
    public func populate(_ range: Range<Int>) {
        let first = range.lowerBound / Self.pageBytes * Self.pageBytes
        // Kernels before 5.14 refuse it; then the pages come by faults.
        unsafe madvise(start + first, range.upperBound - first, MADV_POPULATE_WRITE)
    }

    /// The same for one of several equal shares, so that as many threads can populate the block together.
    ///
    /// - Parameters:
    ///   - share: 0 to `shares - 1`.
    ///   - shares: at least 1.
    public func populate(share: Int, of shares: Int) {
        populate(count * share / shares..<count * (share + 1) / shares)
    }
}
