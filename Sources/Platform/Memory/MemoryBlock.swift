/// An uninitialised block of memory with one owner, aligned to 64 bytes.
///
/// Large blocks come from a pool that keeps released pages. The kernel zeroes fresh memory page by page, on a page
/// fault each, which for the planes of a photo takes as long as encoding it.
@safe public struct MemoryBlock: ~Copyable, @unchecked Sendable {
    // `@unchecked`: plain memory with one owner, which a noncopyable value enforces.

    /// The memory, exactly as many bytes as requested. Valid while the block lives.
    public let bytes: UnsafeMutableRawBufferPointer
    /// Pages that `populatesLater` left unpopulated; nil if all pages are populated.
    public let fresh: FreshPages?
    private let pages: Pages?
    private let pool: PagePool

    /// Smaller blocks come from the heap, which is fast for them; larger aligned ones would fragment it.
    static let minPagedBytes = 1 << 16

    /// Ends the process if memory is exhausted, like `UnsafeMutableRawBufferPointer.allocate`: check sizes from files
    /// first. With `populatesLater` the owner populates `fresh` itself, by several threads or gradually.
    public init(byteCount: Int, populatesLater: Bool = false) {
        self.init(byteCount: byteCount, populatesLater: populatesLater, pool: .shared)
    }

    /// - Parameter pool: provides the pages of a large block and takes them back.
    init(byteCount: Int, populatesLater: Bool, pool: PagePool) {
        self.pool = pool
        guard byteCount >= Self.minPagedBytes else {
            unsafe bytes = .allocate(byteCount: byteCount, alignment: 64)
            pages = nil
            fresh = nil
            return
        }
        let pages = pool.take(byteCount)
        let fresh = unsafe pages.isFresh ? FreshPages(start: pages.start, count: byteCount) : nil
        if !populatesLater { fresh?.populate(share: 0, of: 1) }
        self.fresh = populatesLater ? fresh : nil
        unsafe bytes = unsafe UnsafeMutableRawBufferPointer(start: pages.start, count: byteCount)
        self.pages = consume pages
    }

    deinit {
        if let pages { pool.put(pages) } else { unsafe bytes.deallocate() }
    }
}

/// Pages kept for future blocks.
public enum MemoryPool {
    /// Returns free pages to the system, the largest pieces first, until at most `limit` bytes are kept, so that one
    /// huge photo does not cost memory for ever.
    public static func trim(toBytes limit: Int) { PagePool.shared.trim(toBytes: limit) }

    /// Free bytes in the pool.
    public static var freeBytes: Int { PagePool.shared.freeBytes }
}
