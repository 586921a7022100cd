internal import Jobs
internal import Library
internal import Synchronization

/// Finds pages of a filter's photos by their number: a page in the middle of a million is as near as the first.
///
/// Photos are listed by path, and a database finds what follows a path, not what has a number. So the paths of every 500th
/// photo are remembered. They are read again after some seconds, because other commands change photos, too, and once a photo came
/// here, as soon as the reading takes a tenth of the time at most.
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
        let cost: Duration
        /// A photo came since.
        var isPassed = false

        var maxAge: Duration { isPassed ? min(cost * 10, GalleryIndex.maxAge) : GalleryIndex.maxAge }
    }

    private let known = Mutex<[GalleryFilter: Known]>([:])
    private let changes = Atomic(0)
    private static let maxAge = Duration.seconds(5)
    private static let maxFilters = 16
    private static let interval = 500

    func start(of filter: GalleryFilter, offset: Int, in store: LibraryStore) throws -> Start {
        // The first page needs nothing, and must not wait.
        guard offset >= Self.interval else { return Start(path: nil, skipped: offset) }
        let marks = try marks(of: filter, in: store)
        guard let mark = marks.marks.last(where: { $0.count <= offset }) else {
            return Start(path: nil, skipped: offset)
        }
        return Start(path: mark.path, skipped: offset - mark.count)
    }

    func count(of filter: GalleryFilter, in store: LibraryStore) throws -> Int {
        try marks(of: filter, in: store).count
    }

    private func marks(of filter: GalleryFilter, in store: LibraryStore) throws -> PhotoMarks {
        let (now, change) = (ContinuousClock.now, changes.load(ordering: .relaxed))
        if let known = known.withLock({ $0[filter] }), now - known.time < known.maxAge { return known.marks }
        let marks =
            filter.isByBurst
            ? try store.photos.burstMarks(filter.photos, every: Self.interval)
            : try store.photos.marks(filter.photos, every: Self.interval)
        known.withLock { known in
            if known.count >= Self.maxFilters { known.removeAll() }
            // A photo that came meanwhile may be among them or not: it counts as one that came since.
            let isPassed = changes.load(ordering: .relaxed) != change
            known[filter] = Known(marks: marks, time: .now, cost: .now - now, isPassed: isPassed)
        }
        return marks
    }

    /// A photo came.
    func photoCame() {
        changes.add(1, ordering: .relaxed)
        known.withLock { known in for filter in known.keys { known[filter]?.isPassed = true } }
    }

    /// Photos changed.
    func forget() { known.withLock { $0.removeAll() } }
}
