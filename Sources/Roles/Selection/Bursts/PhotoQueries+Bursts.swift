internal import Database
public import Jobs
internal import LibraryTables
internal import Manifests

/// A burst, represented by one photo.
public struct PhotoBurst: Hashable, Sendable {
    /// The first of the photos with the most stars.
    public let front: PhotoSummary
    /// Number of the filter's photos in the burst; 1 for a single photo.
    public let count: Int

    /// Memberwise initializer.
    public init(front: PhotoSummary, count: Int) {
        self.front = front
        self.count = count
    }
}

extension PhotoSummary {
    /// Nil for a photo without a time.
    fileprivate var moment: (place: BurstPlace, second: CaptureSecond)? {
        guard let second = facts.captured.flatMap({ CaptureSecond($0) }) else { return nil }
        let place = BurstPlace(variant: variant, folder: path.folder?.bytes ?? [], make: facts.make, model: facts.model)
        return (place, second)
    }
}

extension PhotoQueries {
    /// Number of photos read at once for a page of bursts.
    private static let piece = 200...4000

    /// Calls `body` with bursts of the filter's photos, ordered by the path of the photo in front.
    ///
    /// - Parameter path: lists only later paths.
    /// - Throws: `LibraryError`; errors of `body`.
    public func eachBurst(
        _ filter: PhotoFilter = PhotoFilter(), after path: RelativePath? = nil, limit: Int? = nil,
        body: (PhotoBurst) throws -> Void
    ) throws {
        let plan = try PhotoPlan(filter, in: database, limits: limits)
        var (last, left) = (path, limit ?? .max)
        var size = min(max(left, Self.piece.lowerBound), Self.piece.upperBound)
        while left > 0 {
            var photos: [PhotoSummary] = []
            try each(filter, after: last, limit: size) { photos.append($0) }
            var reader = BurstReader(database, plan.query)
            // Other photos count 0.
            var counts: [RelativePath: Int] = [:]
            for burst in try reader.bursts(around: photos.compactMap(\.moment)) {
                for member in burst.members { counts[member.path] = 0 }
                counts[burst.front.path] = burst.members.count
            }
            for photo in photos where left > 0 {
                let count = counts[photo.path] ?? 1
                if count == 0 { continue }
                left -= 1
                try body(PhotoBurst(front: photo, count: count))
            }
            guard photos.count == size, let end = photos.last else { return }
            last = end.path
            size = min(size * 2, Self.piece.upperBound)
        }
    }

    /// As `marks`, for the photos in front of bursts.
    public func burstMarks(_ filter: PhotoFilter, every interval: Int) throws -> PhotoMarks {
        var places: [BurstPlace: Int] = [:]
        var shots: [BurstShot] = []
        var paths: [RelativePath] = []
        // Photos in front of others, and those without a time.
        var isShown: [Bool] = []
        try PhotoPlan(filter, in: database, limits: limits).each { query in
            try database.perform { connection in
                try connection.each(
                    "SELECT t.path, t.look, r.captured, r.make, r.model, r.rating \(query.rows.sql) ORDER BY \(query.order)",
                    values: query.rows.values
                ) { row in
                    let second = CaptureSecond(row.text(2))
                    let path = try row.path(0)
                    if let second {
                        let place = BurstPlace(
                            variant: row.text(1), folder: path.folder?.bytes ?? [], make: row.text(3),
                            model: row.text(4))
                        let number = places[place] ?? places.count
                        places[place] = number
                        shots.append(
                            BurstShot(
                                place: number, second: second.number, rating: Int(row.integer(5)), order: isShown.count)
                        )
                    }
                    isShown.append(second == nil)
                    if isShown.count.isMultiple(of: interval) { paths.append(path) }
                }
            }
            return true
        }
        Bursts.each(of: shots) { front, _ in isShown[front.order] = true }
        var count = 0
        var marks: [PhotoMarks.Mark] = []
        for (index, isShown) in isShown.enumerated() {
            if isShown { count += 1 }
            if (index + 1).isMultiple(of: interval) {
                marks.append(PhotoMarks.Mark(path: paths[index / interval], count: count))
            }
        }
        return PhotoMarks(count: count, marks: marks)
    }

    /// The photos of the burst around a path, ordered by path; empty if the path has no photo.
    func burst(of path: RelativePath) throws -> [BurstReader.Member] {
        guard let photo = try photo(at: path) else { return [] }
        var reader = BurstReader(database) { seconds in
            PhotoQuery([seconds], in: nil, driving: seconds, database: database)
        }
        let bursts = try reader.bursts(around: [photo.moment].compactMap(\.self))
        if let burst = bursts.first(where: { $0.members.contains { $0.path == path } }) { return burst.members }
        return [BurstReader.Member(path: path, asset: try database.number(of: photo.asset))]
    }

    var compiler: SelectionCompiler {
        SelectionCompiler(
            database, bursts: BurstSelector { try burst(of: $0).map { (path: $0.path, asset: $0.asset) } })
    }
}
