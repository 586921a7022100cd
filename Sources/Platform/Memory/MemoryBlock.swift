/// A piece of memory with one owner, aligned to 64 bytes, its contents unknown until written.
///
/// Large pieces come from a store that keeps them when they are let go: the kernel gives fresh memory page by page, with
/// a fault and a page of zeros for each, which for the planes of a photo takes as long as encoding it.
public struct MemoryBlock: ~Copyable, @unchecked Sendable {
    // Sendable: plain memory with one owner; whoever holds the value may move it to another thread.

    /// As many bytes as were asked for. Valid while the block lives.
    public let bytes: UnsafeMutableRawBufferPointer
    /// Nil where all pages are there.
    public let fresh: FreshBytes?
    private let pages: Pages?

    /// Pieces below this are taken from the heap, which is quick at them. (Larger aligned ones leave gaps in it that
    /// it does not find again.)
    static let leastPagedBytes = 1 << 16

    /// As `UnsafeMutableRawBufferPointer.allocate`, it ends the process where the system has no memory left: sizes from
    /// files are to be checked before.
    ///
    /// - Parameter isPagedLater: true where the holder has the pages made (`fresh`), by several threads or bit by bit.
    public init(byteCount: Int, isPagedLater: Bool = false) {
        guard byteCount >= Self.leastPagedBytes else {
            bytes = .allocate(byteCount: byteCount, alignment: 64)
            pages = nil
            fresh = nil
            return
        }
        let (pages, isFresh) = PageStore.shared.take(byteCount)
        let fresh = isFresh ? FreshBytes(start: pages.start, count: byteCount) : nil
        if !isPagedLater { fresh?.makePages(share: 0, of: 1) }
        self.pages = pages
        self.fresh = isPagedLater ? fresh : nil
        bytes = UnsafeMutableRawBufferPointer(start: pages.start, count: byteCount)
    }

    deinit {
        if let pages { PageStore.shared.giveBack(pages) } else { bytes.deallocate() }
    }
}

/// What blocks leave behind for the next ones.
public enum KeptMemory {
    /// Gives memory that nobody holds back to the system, the largest pieces first, until at most so much is kept: so
    /// that one huge photo does not weigh on all that follow.
    public static func trim(toBytes limit: Int) { PageStore.shared.trim(toBytes: limit) }

    /// Bytes that are kept and held by nobody.
    public static var bytes: Int { PageStore.shared.freeBytes }
}
