import Jobs
import Library
import Synchronization

/// Finds pages of a filter's photos by their number: a page in the middle of a million is as near as the first.
///
/// Photos are listed by path, and a database finds what follows a path, not what has a number. So the paths of every 500th
/// photo are remembered. They are read again after some seconds, because photos come and go.
final class GalleryIndex: Sendable {
    /// Where to begin to read.
    struct Start {
        /// Only photos after this one; nil for the first.
        let path: RelativePath?
        /// So many of them come before the page.
        let skipped: Int
    }

    private struct Known {
        let marks: PhotoMarks
        let time: ContinuousClock.Instant
    }

    private let known = Mutex<[GalleryFilter: Known]>([:])
    private static let maxAge = Duration.seconds(5)
    private static let maxFilters = 16
    private static let interval = 500

    func start(of filter: GalleryFilter, offset: Int, in store: LibraryStore) throws -> Start {
        // The first page needs nothing, and must not wait.
        guard offset >= Self.interval else { return Start(path: nil, skipped: offset) }
        let marks = try marks(of: filter, in: store)
        let mark = min(offset / Self.interval, marks.paths.count)
        return Start(path: mark > 0 ? marks.paths[mark - 1] : nil, skipped: offset - mark * Self.interval)
    }

    func count(of filter: GalleryFilter, in store: LibraryStore) throws -> Int {
        try marks(of: filter, in: store).count
    }

    private func marks(of filter: GalleryFilter, in store: LibraryStore) throws -> PhotoMarks {
        let now = ContinuousClock.now
        if let known = known.withLock({ $0[filter] }), now - known.time < Self.maxAge { return known.marks }
        let marks = try store.photos.marks(filter.photos, every: Self.interval)
        known.withLock { known in
            if known.count >= Self.maxFilters { known.removeAll() }
            known[filter] = Known(marks: marks, time: .now)
        }
        return marks
    }

    /// Photos changed.
    func forget() { known.withLock { $0.removeAll() } }
}
