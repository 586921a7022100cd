internal import Database
public import Jobs
public import LibraryTables
internal import Manifests

/// The number of a filter's photos or bursts, and their paths at a fixed interval.
public struct PhotoMarks: Hashable, Sendable {
    /// A path and the number of entries up to it.
    public struct Mark: Hashable, Sendable {
        /// The path of one of the filter's photos.
        public let path: RelativePath
        /// Number of photos or bursts up to and including this one.
        public let count: Int
    }

    /// Number of all photos or bursts.
    public let count: Int
    /// One mark for each interval.
    public let marks: [Mark]
}

/// Values to choose photos by.
public struct PhotoFacets: Hashable, Sendable {
    /// A value and its number of photos.
    public struct Entry: Hashable, Sendable {
        /// The value as text.
        public let value: String
        /// Number of photos with the value.
        public let count: Int
    }

    /// Names of looks.
    public let looks: [Entry]
    /// Cameras, as `camera` in a selection.
    public let cameras: [Entry]
    /// Years of capture, the newest first.
    public let years: [Entry]
    /// Stars from 5 to −1, where known.
    public let ratings: [Entry]
    /// The most frequent keywords, at most `maxKeywords`, ordered by text.
    public let keywords: [Entry]

    /// The limit of keywords.
    public static let maxKeywords = 500
}

extension PhotoQueries {
    /// Walks over all photos of a filter and records paths at an interval.
    public func marks(_ filter: PhotoFilter, every interval: Int) throws -> PhotoMarks {
        var count = 0
        var marks: [PhotoMarks.Mark] = []
        try eachPath(filter) { path in
            count += 1
            if count.isMultiple(of: interval) { marks.append(PhotoMarks.Mark(path: try path(), count: count)) }
        }
        return PhotoMarks(count: count, marks: marks)
    }

    /// Values of all shown photos. Reads the whole table.
    public func facets() throws -> PhotoFacets {
        // One pass over all photos, because the joins take most of the time.
        var counts: [[String: Int]] = [[:], [:], [:], [:]]
        try database.perform { connection in
            _ = try connection.all(
                """
                SELECT p.look, substr(r.captured, 1, 4), CAST(r.rating AS TEXT), r.make, r.model, count(*)
                FROM tree t JOIN renditions r ON r.asset = t.asset AND r.key = t.key JOIN recipes p ON p.recipe = r.recipe
                GROUP BY 1, 2, 3, 4, 5
                """
            ) { row in
                let camera = PhotoFacts.camera(make: row.text(3), model: row.text(4))
                let values = [row.text(0), row.text(1), row.text(2), camera]
                for (column, value) in values.enumerated() { counts[column][value, default: 0] += Int(row.integer(5)) }
            }
        }
        let keywords = try database.perform { connection in
            try connection.all(
                """
                SELECT k.word, count(*) FROM keywords k JOIN tree t ON t.asset = k.asset AND t.key = k.key
                GROUP BY k.word ORDER BY 2 DESC, 1 LIMIT ?
                """, PhotoFacets.maxKeywords
            ) { row in PhotoFacets.Entry(value: row.text(0), count: Int(row.integer(1))) }
        }
        let entries = counts.map { values in
            values.map { PhotoFacets.Entry(value: $0.key, count: $0.value) }
                .sorted { $0.value.utf8.lexicographicallyPrecedes($1.value.utf8) }
        }
        return PhotoFacets(
            looks: entries[0], cameras: entries[3],
            years: entries[1].reversed().filter { $0.value.utf8.count == 4 },
            ratings: entries[2].filter { !$0.value.isEmpty }.sorted { (Int($0.value) ?? 0) > (Int($1.value) ?? 0) },
            keywords: keywords.sorted { $0.value.utf8.lexicographicallyPrecedes($1.value.utf8) })
    }
}

extension PhotoQueries {
    /// The photo at a path; nil if there is none.
    public func photo(at path: RelativePath) throws -> PhotoSummary? {
        var found: PhotoSummary?
        try eachSummary("t.path = ?", [.blob(path.bytes)], "") { found = $0 }
        return found
    }

    /// The photo before or after a path; nil at the ends.
    public func neighbour(of path: RelativePath, isBefore: Bool) throws -> PhotoSummary? {
        var found: PhotoSummary?
        let order = isBefore ? "DESC" : "ASC"
        try eachSummary("t.path \(isBefore ? "<" : ">") ?", [.blob(path.bytes)], "ORDER BY t.path \(order) LIMIT 1") {
            found = $0
        }
        return found
    }
}

extension PhotoQueries {
    /// The first path of a rendition in `photos/`; nil if not shown.
    public func path(showing rendition: RenditionID) throws -> RelativePath? {
        let number = try database.number(of: rendition.asset)
        return try database.perform { connection in
            try connection.first(
                "SELECT path FROM tree WHERE asset = ? AND key = ? ORDER BY path LIMIT 1", number, rendition.key.bytes
            ) { try $0.path(0) }
        }
    }
}
