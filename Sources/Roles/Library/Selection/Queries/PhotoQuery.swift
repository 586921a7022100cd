internal import Database
internal import Jobs
internal import Manifests

/// The rows of a filter's photos: `FROM … WHERE …`, with the rows `t` of `tree`, `r` of `renditions` and `p` of `recipes`.
struct PhotoQuery {
    let rows: SQLFragment
    /// What they are ordered by, for their paths' order.
    let order: String

    /// The path as an order that no index has. A server would else walk over all paths, because a page of them may be
    /// full soon.
    static let sortedPath = "(t.path)"

    /// - Parameters:
    ///   - conditions: all of which the photos meet.
    ///   - paths: where in the tree they are; nil for anywhere, in the order of assets if no index finds them.
    ///   - driving: the condition by which an index finds them; nil to walk the paths in order.
    ///   - database: where they are looked for.
    init(_ conditions: [SQLFragment], in paths: PathRange?, driving: SQLFragment?, database: LibraryDatabase) {
        let parts = (paths.map { [$0.condition] } ?? []) + conditions
        let all = parts.isEmpty ? SQLFragment("1 = 1") : SQLFragment.all(parts)
        // SQLite takes the tables of a CROSS JOIN in their order.
        let tables = driving == nil ? "tree t CROSS JOIN renditions r" : "renditions r CROSS JOIN tree t"
        // In a file rows that an index finds are read five times as fast by their own numbers as by keys, which lie anywhere.
        let found =
            database.hasRowNumbers
            ? driving.map { "r.rowid IN (SELECT r.rowid FROM renditions r WHERE \($0.sql)) AND " } : nil
        // A server is not told more than that half of them may have the same key: it would expect one row in all of what it takes
        // for a coincidence of three columns.
        let isSame = database.hasRowNumbers ? "t.key = r.key" : "coalesce(t.key = r.key, FALSE)"
        order = driving == nil ? "t.path" : Self.sortedPath
        rows = SQLFragment(
            """
            FROM \(tables) CROSS JOIN recipes p
            WHERE \(found ?? "")t.asset = r.asset AND t.frame = r.frame AND \(isSame) AND p.recipe = r.recipe AND \(all.sql)
            """, (found == nil ? [] : driving?.values ?? []) + all.values)
    }
}

/// Paths of the tree from one to another.
struct PathRange {
    /// The first path may be this one.
    private let start: [UInt8]
    /// All paths come after this one; empty for none.
    private let last: [UInt8]
    private let end: [UInt8]
    /// True if the end itself is in it.
    private let includesEnd: Bool

    private init(start: [UInt8], last: [UInt8], end: [UInt8], includesEnd: Bool) {
        self.start = start
        self.last = last
        self.end = end
        self.includesEnd = includesEnd
    }

    /// What is below a folder, after a path: these sort between two bounds, because "0" follows "/" in ASCII.
    init(below folder: RelativePath?, after path: RelativePath?) {
        let bytes = folder?.bytes ?? Array(LibraryLayout.photos.utf8)
        self.init(
            start: bytes + [UInt8(ascii: "/")], last: path?.bytes ?? [], end: bytes + [UInt8(ascii: "0")],
            includesEnd: false)
    }

    /// With one lower bound: of two, a database may take the other one to begin its walk at.
    var condition: SQLFragment {
        let isAfter = !last.lexicographicallyPrecedes(start)
        return SQLFragment(
            "(t.path \(isAfter ? ">" : ">=") ? AND t.path \(includesEnd ? "<=" : "<") ?)",
            [.blob(isAfter ? last : start), .blob(end)])
    }

    /// The part from a path on.
    func from(_ path: RelativePath) -> PathRange {
        let isLater = start.lexicographicallyPrecedes(path.bytes)
        return PathRange(start: isLater ? path.bytes : start, last: last, end: end, includesEnd: includesEnd)
    }

    /// The part up to a path, and the part behind it.
    func split(at path: RelativePath) -> (head: PathRange, tail: PathRange) {
        (
            PathRange(start: start, last: last, end: path.bytes, includesEnd: true),
            PathRange(start: start, last: path.bytes, end: end, includesEnd: includesEnd)
        )
    }
}
