internal import Synchronization

/// The process's large pieces of memory that nobody holds now.
final class PageStore: Sendable {
    static let shared = PageStore()

    private let free = Mutex<[Pages]>([])

    var freeBytes: Int { free.withLock { $0.reduce(0) { $0 + $1.byteCount } } }

    /// The smallest piece that is large enough but not far too large; else a new one, in the place of the one that is
    /// closest in size if there is one of that kind. So jobs of one size find their own pieces again, and jobs of many
    /// sizes do not leave pieces of each behind.
    func take(_ byteCount: Int) -> (pages: Pages, isFresh: Bool) {
        let wanted = Self.rounded(byteCount)
        let kept = free.withLock { free in
            Self.choice(free.map(\.byteCount), wanted: wanted).map { free.remove(at: $0) }
        }
        if let kept {
            if Self.fits(kept.byteCount, wanted) { return (kept, false) }
            kept.unmap()
        }
        if let fresh = Pages.map(wanted) { return (fresh, true) }
        trim(toBytes: 0)
        guard let fresh = Pages.map(wanted) else { preconditionFailure("no memory is left") }
        return (fresh, true)
    }

    func giveBack(_ pages: Pages) { free.withLock { $0.append(pages) } }

    func trim(toBytes limit: Int) {
        free.withLock { free in
            free.sort { $0.byteCount < $1.byteCount }
            while free.reduce(0, { $0 + $1.byteCount }) > limit { free.popLast()?.unmap() }
        }
    }

    /// Where among `sizes` the piece to take or to replace stands.
    static func choice(_ sizes: [Int], wanted: Int) -> Int? {
        let fitting = sizes.indices.filter { fits(sizes[$0], wanted) }
        if let smallest = fitting.min(by: { sizes[$0] < sizes[$1] }) { return smallest }
        return sizes.indices.filter { sizes[$0] / 2 <= wanted && wanted / 2 <= sizes[$0] }
            .min { abs(sizes[$0] - wanted) < abs(sizes[$1] - wanted) }
    }

    /// A third too large is still right; what is larger may be another's, who would have to take new memory.
    private static func fits(_ size: Int, _ wanted: Int) -> Bool { size >= wanted && size - wanted <= wanted / 3 }

    /// The sizes of compressed files differ a little from photo to photo, which should not cost new memory: up to the
    /// next quarter of a power of two. Pages that are never touched take no memory.
    static func rounded(_ byteCount: Int) -> Int {
        let step = 1 << max(12, Int.bitWidth - byteCount.leadingZeroBitCount - 3)
        let (sum, overflow) = byteCount.addingReportingOverflow(step - 1)
        return overflow ? .max : sum / step * step
    }
}
