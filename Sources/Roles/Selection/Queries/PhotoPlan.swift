internal import Database
internal import Jobs
internal import LibraryTables

/// The way to a filter's photos, which are listed by path.
///
/// If the filter fits few photos, an index finds them and they are sorted; if it fits many, the paths are walked in order, and
/// a page is full soon. Databases guess which it is. Here the index is asked how many it would find, up to a limit; and where
/// they are not few, a short walk is tried first: what is taken in one year may fill the page at once, or lie
/// behind all the years before. Then the numbers of the RAWs say where to go on: what was taken in one year was
/// mostly merged together, and the first of its paths is behind those years.
package struct PhotoPlan {
    /// Where one way becomes better than another.
    package struct Limits {
        /// Up to so many photos are sorted without a look at anything else.
        var few: Int64 = 10_000
        /// Up to so many are sorted if a short walk did not fill the page, or none is tried.
        package var sorted: Int64 = 250_000
        /// Paths of a short walk.
        var walked = 10_000
    }

    private let database: LibraryDatabase
    private let limits: Limits
    private let range: PathRange
    /// The length of a page; nil if all are wanted.
    private let limit: Int?
    private let conditions: [SQLFragment]
    /// What the filter says of recipes and times of capture, whose index has the RAWs' numbers; nil if it says nothing of them.
    private let numbered: SQLFragment?
    /// What indexes find of the filter's photos.
    private let drivers: [SQLFragment]

    /// - Parameters:
    ///   - path: only photos whose paths come after it.
    ///   - limit: the length of a page; nil if all are wanted.
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
        // One index is by recipe, then by capture.
        let driving = conditions.compactMap(\.driving)
        let parts = driving.filter { $0.index == .recipe } + driving.filter { $0.index == .capture }
        let numbered = parts.isEmpty ? nil : SQLFragment.all(parts)
        self.numbered = numbered
        drivers = (numbered.map { [$0] } ?? []) + driving.filter { $0.index == .other || $0.index == nil }
        if filter.isNameTaken { conditions.append(SQLFragment("\(TreeTable.occupied) IS NOT NULL")) }
        self.conditions = conditions
    }

    /// Calls `body` with what to ask, one after the other, until it returns false because the page is full. Their rows are in
    /// order.
    ///
    /// - Throws: `LibraryError`; what `body` throws.
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

    /// Those of the filter's photos that fulfil one more condition, which an index serves.
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

    /// What is to be sorted where all indexes find more than a few; nil if all find too many.
    ///
    /// A server reads a row for each photo that it counts by an index of an expression, such as the camera's name. So where
    /// recipes and times find not too many, others are only asked whether they find a quarter of these.
    ///
    /// - Parameter count: of what is found by recipes and times; nil if the filter says nothing of them.
    private func sorted(beside count: Int64?) throws -> SQLFragment? {
        guard let numbered, let count else { return try best(max: limits.sorted) }
        let others = drivers.dropFirst()
        guard count <= limits.sorted else { return try best(of: others, max: limits.sorted) }
        let isFewer = count / 4 > limits.few
        return isFewer ? try best(of: others, max: count / 4) ?? numbered : numbered
    }

    private func best(max: Int64) throws -> SQLFragment? { try best(of: drivers[...], max: max) }

    /// Of what indexes find, that with the fewest photos; nil if all are too many.
    private func best(of drivers: ArraySlice<SQLFragment>, max: Int64) throws -> SQLFragment? {
        var best: (driving: SQLFragment, count: Int64)?
        for driving in drivers {
            let limit = best?.count ?? max + 1
            let found = try count(driving, limit: limit)
            if found < limit { best = (driving, found) }
        }
        return best?.driving
    }

    /// So many alternatives are counted one by one.
    private static let maxAlternatives = 4

    /// How many photos an index finds, up to a limit; of alternatives the greatest number. A database would look up each photo's
    /// row to count those that fulfil any of several, and a server all of them before it stops at a limit.
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

    /// The path with this index in a range; nil if there are fewer.
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

    /// How many renditions fulfil what is said of recipes and times, up to one more than are sorted, and the numbers from the first to
    /// the last of their RAWs; nil if nothing is said. There are no numbers where there are none, or too many.
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

    /// The first path of some RAWs' photos.
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
    /// What photos have to meet of their renditions, each of which an index may serve.
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
