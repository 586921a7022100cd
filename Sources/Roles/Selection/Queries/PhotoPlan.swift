internal import Database
internal import Jobs
internal import LibraryTables

/// Plans how to find a filter's photos in order of path.
///
/// With few matches, an index finds the photos and they are sorted; with many, a walk over the paths in order soon
/// fills a page. Databases guess the number of matches. This plan counts them in the index, up to a limit. If there are
/// more than a few, it first tries a short walk, because the photos of one year may come at once or after all earlier
/// years. The matching RAWs' numbers then tell where to continue: photos of one year were mostly merged together, so
/// the first of their paths lies after the earlier years.
package struct PhotoPlan {
    /// Thresholds between the methods, in photos.
    package struct Limits {
        /// At most this many photos are sorted at once, without a walk.
        var few: Int64 = 10_000
        /// At most this many are sorted after a short walk that did not fill the page, or without one.
        package var sorted: Int64 = 250_000
        var walked = 10_000
    }

    private let database: LibraryDatabase
    private let limits: Limits
    private let range: PathRange
    private let limit: Int?
    private let conditions: [SQLFragment]
    /// The filter's conditions on recipe and capture time, whose index contains the RAWs' numbers; nil without any.
    private let numbered: SQLFragment?
    /// The filter's conditions that indexes serve.
    private let drivers: [SQLFragment]

    /// - Parameters:
    ///   - path: lists only photos after this path.
    ///   - limit: the length of a page; nil for no limit.
    /// - Throws: `LibraryError`.
    init(
        _ filter: PhotoFilter, after path: RelativePath? = nil, limit: Int? = nil, in database: LibraryDatabase,
        limits: Limits
    ) throws {
        self.database = database
        self.limits = limits
        self.limit = limit
        range = PathRange(below: filter.folder, after: path)
        let compiler = PhotoQueries(database).compiler
        var conditions = try filter.conditions.map { try compiler.fragment($0) }
        // A single index covers recipe, then capture.
        let driving = conditions.compactMap(\.driving)
        let parts = driving.filter { $0.index == .recipe } + driving.filter { $0.index == .capture }
        let numbered = parts.isEmpty ? nil : SQLFragment.all(parts)
        self.numbered = numbered
        drivers = (numbered.map { [$0] } ?? []) + driving.filter { $0.index == .other || $0.index == nil }
        if filter.isNameTaken { conditions.append(SQLFragment("\(TreeTable.occupied) IS NOT NULL")) }
        self.conditions = conditions
    }

    /// Calls `body` with each query in turn until it returns false because the page is full. Rows come in order of
    /// path. Throws `LibraryError`; errors of `body`.
    package func each(_ body: (PhotoQuery) throws -> Bool) throws {
        let few = limit == nil ? nil : try best(max: limits.few)
        guard limit != nil, few == nil, !drivers.isEmpty else {
            let driving = try few ?? best(max: limits.sorted)
            _ = try body(query(in: range, driving: driving))
            return
        }
        guard let end = try path(at: limits.walked, of: range) else {
            _ = try body(query(in: range, driving: nil))
            return
        }
        let (head, tail) = range.split(at: end)
        guard try body(query(in: head, driving: nil)) else { return }
        let numbers = try numbers()
        let driving = try sorted(beside: numbers?.count)
        guard let numbers, let assets = numbers.assets else {
            if numbers?.count != 0 { _ = try body(query(in: tail, driving: driving)) }
            return
        }
        var rest = tail
        if assets.upperBound - assets.lowerBound <= limits.sorted, let first = try firstPath(of: assets) {
            rest = tail.from(first)
            if first > end, let end = try path(at: limits.walked, of: rest) {
                let (head, tail) = rest.split(at: end)
                guard try body(query(in: head, driving: nil, of: assets)) else { return }
                rest = tail
            }
        }
        _ = try body(query(in: rest, driving: driving, of: assets))
    }

    /// The filter's photos that also meet a condition that an index serves.
    package func query(_ condition: SQLFragment) -> PhotoQuery {
        PhotoQuery([condition] + conditions, in: range, driving: condition, database: database)
    }

    private func query(
        in range: PathRange, driving: SQLFragment?, of assets: ClosedRange<Int64>? = nil
    ) -> PhotoQuery {
        let numbers = assets.map { assets in
            SQLFragment(
                "(t.asset >= ? AND t.asset <= ?)", [.integer(assets.lowerBound), .integer(assets.upperBound)])
        }
        return PhotoQuery(
            (numbers.map { [$0] } ?? []) + conditions, in: range, driving: driving, database: database)
    }

    /// The condition to sort by if every index finds more than a few photos; nil if all find too many.
    ///
    /// PostgreSQL reads a row for each photo that it counts by an index of an expression, such as the camera's name. If
    /// recipes and times find an acceptable number, other indexes are therefore counted only up to a quarter of it.
    ///
    /// - Parameter count: number of photos that recipes and times find; nil without such conditions.
    private func sorted(beside count: Int64?) throws -> SQLFragment? {
        guard let numbered, let count else { return try best(max: limits.sorted) }
        let others = drivers.dropFirst()
        guard count <= limits.sorted else { return try best(of: others, max: limits.sorted) }
        let isFewer = count / 4 > limits.few
        return isFewer ? try best(of: others, max: count / 4) ?? numbered : numbered
    }

    private func best(max: Int64) throws -> SQLFragment? { try best(of: drivers[...], max: max) }

    /// The condition whose index finds the fewest photos; nil if all find too many.
    private func best(of drivers: ArraySlice<SQLFragment>, max: Int64) throws -> SQLFragment? {
        var best: (driving: SQLFragment, count: Int64)?
        for driving in drivers {
            let limit = best?.count ?? max + 1
            let found = try count(driving, limit: limit)
            if found < limit { best = (driving, found) }
        }
        return best?.driving
    }

    /// Up to this many alternatives are counted one by one.
    private static let maxAlternatives = 4

    /// The number of photos that an index finds, up to a limit; for alternatives the greatest of their numbers. To
    /// count the union, a database would look up the row of each photo, and PostgreSQL would look up all rows before it
    /// applies a limit.
    private func count(_ driving: SQLFragment, limit: Int64) throws -> Int64 {
        if (1...Self.maxAlternatives).contains(driving.alternatives.count) {
            var most: Int64 = 0
            for alternative in driving.alternatives where most < limit {
                most = max(most, try count(alternative, limit: limit))
            }
            return most
        }
        var found: Int64 = 0
        try database.perform { connection in
            try connection.each(
                "SELECT count(*) FROM (SELECT 1 FROM renditions r WHERE \(driving.sql) LIMIT ?) AS found",
                values: driving.values + [.integer(limit)]
            ) { found = $0.integer(0) }
        }
        return found
    }

    private func path(at index: Int, of range: PathRange) throws -> RelativePath? {
        let condition = range.condition
        var end: RelativePath?
        try database.perform { connection in
            try connection.each(
                "SELECT t.path FROM tree t WHERE \(condition.sql) ORDER BY t.path LIMIT 1 OFFSET ?",
                values: condition.values + [.integer(Int64(index))]
            ) { end = try $0.path(0) }
        }
        return end
    }

    /// The number of renditions that meet the conditions on recipe and time, up to one more than `Limits.sorted`, and
    /// the range of their RAWs' numbers; nil without such conditions. The range is nil for no renditions or too many.
    private func numbers() throws -> (count: Int64, assets: ClosedRange<Int64>?)? {
        guard let numbered else { return nil }
        var numbers: (count: Int64, assets: ClosedRange<Int64>?) = (0, nil)
        try database.perform { connection in
            try connection.each(
                """
                SELECT count(*), min(found.asset), max(found.asset)
                FROM (SELECT r.asset FROM renditions r WHERE \(numbered.sql) LIMIT ?) AS found
                """, values: numbered.values + [.integer(limits.sorted + 1)]
            ) { row in
                let count = row.integer(0)
                let isWhole = count > 0 && count <= limits.sorted
                numbers = (count, isWhole ? row.integer(1)...max(row.integer(1), row.integer(2)) : nil)
            }
        }
        return numbers
    }

    private func firstPath(of assets: ClosedRange<Int64>) throws -> RelativePath? {
        var first: RelativePath?
        try database.perform { connection in
            try connection.each(
                "SELECT t.path FROM tree t WHERE t.asset >= ? AND t.asset <= ? ORDER BY \(PhotoQuery.sortedPath) LIMIT 1",
                values: [.integer(assets.lowerBound), .integer(assets.upperBound)]
            ) { first = try $0.path(0) }
        }
        return first
    }
}

extension PhotoFilter {
    /// The conditions on a photo's rendition, each of which an index may serve.
    fileprivate var conditions: [SelectionCondition] {
        var all: [SelectionCondition] = []
        if let look { all.append(.test(.look, .compares(.equal, .look(name: look, version: nil)))) }
        if let captured { all.append(.test(.taken, .compares(.equal, .period(DatePeriod(prefix: captured))))) }
        if let album { all.append(.test(.album, .compares(.equal, .text(album)))) }
        switch selection?.condition {
        case .all(let parts): all += parts
        case let condition?: all.append(condition)
        case nil: break
        }
        return all
    }
}
