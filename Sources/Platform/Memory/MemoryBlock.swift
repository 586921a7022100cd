/// A block of memory with one owner, aligned to 64 bytes, its contents undefined until written.
///
/// Large blocks come from a pool that keeps their pages when they are released: the kernel backs fresh memory page by
/// page, with a fault and a page of zeros each, which for the planes of a photo takes as long as encoding it.
@safe public struct MemoryBlock: ~Copyable, @unchecked Sendable {
    // `@unchecked`: plain memory with one owner, which a noncopyable value enforces.

    /// The block, as many bytes as requested. Valid while the block lives.
    public let bytes: UnsafeMutableRawBufferPointer
    /// The pages that `populatesLater` left to the owner; nil where all pages are populated.
    public let fresh: FreshPages?
    private let pages: Pages?
    private let pool: PagePool

    /// Smaller blocks come from the heap, which is quick at them. (Larger aligned ones leave gaps in it that it does not
    /// find again.)
    static let minPagedBytes = 1 << 16

    /// Like `UnsafeMutableRawBufferPointer.allocate`, it ends the process where the system has no memory left: check
    /// sizes that come from files before.
    ///
    /// - Parameters:
    ///   - byteCount: 0 or more.
    ///   - populatesLater: true where the owner populates the pages itself (`fresh`), by several threads or bit by bit.
    public init(byteCount: Int, populatesLater: Bool = false) {
        self.init(byteCount: byteCount, populatesLater: populatesLater, pool: .shared)
    }

    /// - Parameter pool: gives the pages of a large block, and takes them back.
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

/// The memory that released blocks leave for the next ones.
public enum MemoryPool {
    /// Returns unused memory to the system, the largest pieces first, until at most `limit` bytes are kept. So one huge
    /// photo does not burden all that follow.
    public static func trim(toBytes limit: Int) { PagePool.shared.trim(toBytes: limit) }

    /// Bytes that are kept and used by no block.
    public static var freeBytes: Int { PagePool.shared.freeBytes }
}
