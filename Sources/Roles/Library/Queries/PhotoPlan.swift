internal import Database
internal import Jobs

/// The way to a filter's photos, which are listed by path.
///
/// If the filter fits few photos, an index finds them and they are sorted; if it fits many, the paths are walked in order, and
/// a page is full soon. Databases guess which it is. Here the index is asked how many it would find, up to a limit; and where
/// neither way is sure to be short, a short walk is tried first: what is taken in one year may fill the page at once, or lie
/// behind all the years before.
struct PhotoPlan {
    /// What to ask one after the other, until the page is full: their rows are in order.
    let queries: [PhotoQuery]

    /// Where one way becomes better than another.
    struct Limits {
        /// Up to so many photos are sorted without a look at anything else.
        var few: Int64 = 10_000
        /// Up to so many are sorted if a short walk did not fill the page.
        var sorted: Int64 = 250_000
        /// Paths of a short walk.
        var walked = 10_000
    }

    /// - Parameters:
    ///   - path: only photos whose paths come after it.
    ///   - limit: the length of a page; nil if all are wanted.
    /// - Throws: `LibraryError`.
    init(
        _ filter: PhotoFilter, after path: RelativePath? = nil, limit: Int? = nil, in database: LibraryDatabase,
        limits: Limits
    ) throws {
        let compiler = SelectionCompiler(recipes: RecipeSelector(database))
        var conditions = try filter.conditions.map { try compiler.fragment($0) }
        let best = try Self.best(conditions.compactMap(\.driving), database, max: limits.sorted)
        if filter.isNameTaken { conditions.append(SQLFragment("\(TreeTable.occupied) IS NOT NULL")) }
        let range = PathRange(below: filter.folder, after: path)
        guard let best else {
            queries = [PhotoQuery(conditions, in: range, driving: nil, database: database)]
            return
        }
        guard limit != nil, best.count > limits.few,
            let end = try Self.path(at: limits.walked, of: range, database)
        else {
            queries = [PhotoQuery(conditions, in: range, driving: best.driving, database: database)]
            return
        }
        let (head, tail) = range.split(at: end)
        queries = [
            PhotoQuery(conditions, in: head, driving: nil, database: database),
            PhotoQuery(conditions, in: tail, driving: best.driving, database: database),
        ]
    }

    /// Of conditions that indexes serve, the one that fits the fewest photos, and how many; nil if all fit too many.
    private static func best(
        _ conditions: [SQLFragment], _ database: LibraryDatabase, max: Int64
    ) throws -> (driving: SQLFragment, count: Int64)? {
        var best: (driving: SQLFragment, count: Int64)?
        for condition in conditions {
            let limit = best?.count ?? max + 1
            var count: Int64 = 0
            try database.perform { connection in
                try connection.each(
                    "SELECT count(*) FROM (SELECT 1 FROM renditions r WHERE \(condition.sql) LIMIT ?) AS found",
                    values: condition.values + [.integer(limit)]
                ) { count = $0.integer(0) }
            }
            if count < limit { best = (condition, count) }
        }
        return best
    }

    /// The path with this index in a range; nil if there are fewer.
    private static func path(
        at index: Int, of range: PathRange, _ database: LibraryDatabase
    ) throws -> RelativePath? {
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
