internal import Glibc

/// Whole pages of the process's address space, mapped for one owner and unmapped with it.
@safe struct Pages: ~Copyable, @unchecked Sendable {
    // `@unchecked`: memory with one owner, which a noncopyable value enforces.

    /// The first byte, on a page boundary.
    let start: UnsafeMutableRawPointer
    let byteCount: Int
    /// True until a block has used them: the kernel has not backed them with memory yet.
    var isFresh = true

    /// Nil where the system has no such memory left.
    init?(byteCount: Int) {
        let start = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let start = unsafe start, unsafe start != MAP_FAILED else { return nil }
        unsafe self.start = unsafe start
        self.byteCount = byteCount
    }

    deinit { unsafe munmap(start, byteCount) }
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
