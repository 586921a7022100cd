internal import Glibc

/// Whole pages of the process's address space, mapped for nobody else. Whoever holds the value must unmap it or pass it
/// on, once.
struct Pages: @unchecked Sendable {
    // Sendable: memory with one holder at a time.
    let start: UnsafeMutableRawPointer
    let byteCount: Int

    /// Nil where the system has no such memory left.
    static func map(_ byteCount: Int) -> Pages? {
        let start = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let start, start != MAP_FAILED else { return nil }
        return Pages(start: start, byteCount: byteCount)
    }

    func unmap() { munmap(start, byteCount) }
}

/// The bytes of a fresh block, for which the kernel has no memory yet. Valid while the block lives.
public struct FreshBytes: @unchecked Sendable {
    // Sendable: several threads may ask the kernel at once, for the same bytes too.
    let start: UnsafeMutableRawPointer
    public let count: Int
    private static let pageBytes = Int(getpagesize())

    /// Has the kernel make the pages of some bytes that will be written: a fault for each takes twice as long.
    public func makePages(_ range: Range<Int>) {
        let first = range.lowerBound / Self.pageBytes * Self.pageBytes
        // Older kernels know nothing of it; then the pages come by faults.
        madvise(start + first, range.upperBound - first, MADV_POPULATE_WRITE)
    }

    /// The same for one of several equal shares, so that as many threads can make them all.
    public func makePages(share: Int, of shares: Int) {
        makePages(count * share / shares..<count * (share + 1) / shares)
    }
}
