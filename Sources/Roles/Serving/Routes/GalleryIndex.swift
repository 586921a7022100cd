internal import Jobs
internal import Memory
internal import PhotoTree
internal import Selection
internal import Synchronization

/// Finds pages of a filter's photos by number, as fast in the middle of a million as at the start.
///
/// Photos are listed by path, and a database finds the photos after a path, but not the n-th photo. So the index
/// remembers the path of every 500th photo. It reads them again after some seconds, because other commands change
/// photos, too. After a new photo it reads them earlier, but spends at most a tenth of the time on that.
final class GalleryIndex: Sendable {
    struct Start {
        /// Only photos after this one; nil for the first.
        let path: RelativePath?
        let skipped: Int
    }

    private struct Known {
        let marks: PhotoMarks
        let time: ContinuousClock.Instant
        let cost: Duration
        /// True if a photo arrived since.
        var isPassed = false

        var maxAge: Duration { isPassed ? min(cost * 10, GalleryIndex.maxAge) : GalleryIndex.maxAge }
    }

    private let known = Mutex(BoundedCache<GalleryFilter, Known>(maxCount: 16))
    private let changes = Atomic(0)
    private static let maxAge = Duration.seconds(5)
    private static let interval = 500

    func start(of filter: GalleryFilter, offset: Int, in store: LibraryStore) throws -> Start {
        // The first page needs no index and does not wait for one.
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
            // A photo that arrived during the read may be counted or not, so it counts as a later one.
            let isPassed = changes.load(ordering: .relaxed) != change
            known[filter] = Known(marks: marks, time: .now, cost: .now - now, isPassed: isPassed)
        }
        return marks
    }

    /// Call it when a photo arrives.
    func photoCame() {
        changes.add(1, ordering: .relaxed)
        known.withLock { known in known.updateAll { $0.isPassed = true } }
    }

    func forget() { known.withLock { $0.removeAll() } }
}
