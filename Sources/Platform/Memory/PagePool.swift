internal import Synchronization

final class PagePool: Sendable {
    static let shared = PagePool()

    private let free = Mutex<[Piece]>([])

    var freeBytes: Int { free.withLock { $0.reduce(0) { $0 + $1.byteCount } } }

    /// Returns at least `byteCount` bytes: the smallest free piece that is not far too large; otherwise fresh pages,
    /// after unmapping the piece closest in size, if any is close. Jobs of one size thus reuse their pieces, and jobs of
    /// many sizes do not accumulate pieces.
    func take(_ byteCount: Int) -> Pages {
        let requested = Self.rounded(byteCount)
        if let pages = reuse(requested) { return pages }
        if let fresh = Pages(byteCount: requested) { return fresh }
        trim(toBytes: 0)
        guard let fresh = Pages(byteCount: requested) else { preconditionFailure("out of memory") }
        return fresh
    }

    /// A free piece that fits, or nil. Unmaps a piece that is only close in size.
    private func reuse(_ requested: Int) -> Pages? {
        let piece = free.withLock { free in
            Self.choice(free.map(\.byteCount), requested: requested).map { free.remove(at: $0) }
        }
        guard let piece, Self.fits(piece.byteCount, requested) else { return nil }
        return piece.take()
    }

    func put(_ pages: consuming Pages) {
        let piece = Piece(pages)
        free.withLock { $0.append(piece) }
    }

    func trim(toBytes limit: Int) {
        free.withLock { free in
            free.sort { $0.byteCount < $1.byteCount }
            while free.reduce(0, { $0 + $1.byteCount }) > limit { free.removeLast() }
        }
    }

    /// Index of the piece to reuse or to unmap; nil if there is neither.
    static func choice(_ sizes: [Int], requested: Int) -> Int? {
        let fitting = sizes.indices.filter { fits(sizes[$0], requested) }
        if let smallest = fitting.min(by: { sizes[$0] < sizes[$1] }) { return smallest }
        return sizes.indices.filter { sizes[$0] / 2 <= requested && requested / 2 <= sizes[$0] }
            .min { abs(sizes[$0] - requested) < abs(sizes[$1] - requested) }
    }

    /// A piece may be a third too large. A larger one probably serves other blocks, which would then need fresh memory.
    private static func fits(_ size: Int, _ requested: Int) -> Bool {
        size >= requested && size - requested <= requested / 3
    }

    /// Rounds up to a quarter of a power of two, at least to whole pages, so that compressed files, whose sizes vary
    /// slightly, share pieces. Untouched pages take no memory.
    static func rounded(_ byteCount: Int) -> Int {
        let step = 1 << max(12, Int.bitWidth - byteCount.leadingZeroBitCount - 3)
        let (sum, overflow) = byteCount.addingReportingOverflow(step - 1)
        return overflow ? .max : sum / step * step
    }
}

/// Free pages in an array element: arrays cannot hold noncopyable values. Unmaps the pages unless they were taken.
///
/// `@unchecked Sendable`: a piece is in the pool's list, behind its lock, or owned by the caller that removed it.
private final class Piece: @unchecked Sendable {
    let byteCount: Int
    private var pages: Pages?

    init(_ pages: consuming Pages) {
        byteCount = pages.byteCount
        self.pages = consume pages
        self.pages?.isFresh = false
    }

    /// The pages; nil after the first call.
    func take() -> Pages? { pages.take() }
}
