internal import Synchronization

/// Large pieces of memory that no block uses now.
final class PagePool: Sendable {
    /// The process's own.
    static let shared = PagePool()

    private let free = Mutex<[Piece]>([])

    /// Bytes of all free pieces.
    var freeBytes: Int { free.withLock { $0.reduce(0) { $0 + $1.byteCount } } }

    /// The smallest free piece that is large enough but not far too large; else fresh pages, in exchange for the piece
    /// that is closest in size if there is one of that kind. So jobs of one size find their own pieces again, and jobs
    /// of many sizes do not leave pieces of each behind.
    ///
    /// - Returns: pages of at least `byteCount` bytes.
    func take(_ byteCount: Int) -> Pages {
        let requested = Self.rounded(byteCount)
        if let pages = reuse(requested) { return pages }
        if let fresh = Pages(byteCount: requested) { return fresh }
        trim(toBytes: 0)
        guard let fresh = Pages(byteCount: requested) else { preconditionFailure("no memory is left") }
        return fresh
    }

    /// The pages of a free piece that fits. One that is only close in size is unmapped, before fresh pages are mapped.
    private func reuse(_ requested: Int) -> Pages? {
        let piece = free.withLock { free in
            Self.choice(free.map(\.byteCount), requested: requested).map { free.remove(at: $0) }
        }
        guard let piece, Self.fits(piece.byteCount, requested) else { return nil }
        return piece.take()
    }

    /// Keeps pages for the next block.
    func put(_ pages: consuming Pages) {
        let piece = Piece(pages)
        free.withLock { $0.append(piece) }
    }

    /// Unmaps the largest pieces until at most `limit` bytes are kept.
    func trim(toBytes limit: Int) {
        free.withLock { free in
            free.sort { $0.byteCount < $1.byteCount }
            while free.reduce(0, { $0 + $1.byteCount }) > limit { free.removeLast() }
        }
    }

    /// The index of the piece to take or to exchange; nil where there is none of that kind.
    static func choice(_ sizes: [Int], requested: Int) -> Int? {
        let fitting = sizes.indices.filter { fits(sizes[$0], requested) }
        if let smallest = fitting.min(by: { sizes[$0] < sizes[$1] }) { return smallest }
        return sizes.indices.filter { sizes[$0] / 2 <= requested && requested / 2 <= sizes[$0] }
            .min { abs(sizes[$0] - requested) < abs(sizes[$1] - requested) }
    }

    /// A piece may be a third too large. A larger one probably belongs to another kind of block, which would have to
    /// map fresh memory then.
    private static func fits(_ size: Int, _ requested: Int) -> Bool {
        size >= requested && size - requested <= requested / 3
    }

    /// Rounds up to the next quarter of a power of two, at least to whole pages: the sizes of compressed files differ a
    /// little from photo to photo, which should not cost fresh memory. Pages that are never touched take no memory.
    static func rounded(_ byteCount: Int) -> Int {
        let step = 1 << max(12, Int.bitWidth - byteCount.leadingZeroBitCount - 3)
        let (sum, overflow) = byteCount.addingReportingOverflow(step - 1)
        return overflow ? .max : sum / step * step
    }
}

/// Free pages in a list: arrays hold no noncopyable values. Pages that are not taken are unmapped with it.
///
/// `@unchecked Sendable`: a piece is in the pool's list, behind its lock, or with the one caller that removed it.
private final class Piece: @unchecked Sendable {
    let byteCount: Int
    private var pages: Pages?

    init(_ pages: consuming Pages) {
        byteCount = pages.byteCount
        self.pages = consume pages
        self.pages?.isFresh = false
    }

    /// The pages, once.
    func take() -> Pages? { pages.take() }
}
