internal import Database
internal import Jobs
internal import LibraryTables
internal import Manifests

/// The rows of a filter's photos: `FROM … WHERE …`, with the rows `t` of `tree`, `r` of `renditions` and `p` of
/// `recipes`.
package struct PhotoQuery {
    package let rows: SQLFragment
    package let order: String

    /// The path as an order that no index has. Otherwise PostgreSQL would walk over all paths, expecting to fill a page
    /// soon.
    static let sortedPath = "(t.path)"

    /// - Parameters:
    ///   - conditions: conditions that the photos must all meet.
    ///   - paths: a part of the tree; nil for all of it, ordered by asset unless an index serves.
    ///   - driving: the condition by which an index finds them; nil to walk the paths in order.
    ///   - database: the library's.
    init(_ conditions: [SQLFragment], in paths: PathRange?, driving: SQLFragment?, database: LibraryDatabase) {
        let parts = (paths.map { [$0.condition] } ?? []) + conditions
        let all = parts.isEmpty ? SQLFragment("1 = 1") : SQLFragment.all(parts)
        // SQLite joins the tables of a CROSS JOIN in their order.
        let tables = driving == nil ? "tree t CROSS JOIN renditions r" : "renditions r CROSS JOIN tree t"
        // In a file, reading rows from an index by row number is five times as fast as by random keys.
        let found =
            database.hasRowNumbers
            ? driving.map { "r.rowid IN (SELECT r.rowid FROM renditions r WHERE \($0.sql)) AND " } : nil
        // PostgreSQL would take three equal columns for a coincidence and estimate one row. This form makes it estimate
        // that half of the rows have the same key.
        let isSame = database.hasRowNumbers ? "t.key = r.key" : "coalesce(t.key = r.key, FALSE)"
        order = driving == nil ? "t.path" : Self.sortedPath
        rows = SQLFragment(
            """
            FROM \(tables) CROSS JOIN recipes p
            WHERE \(found ?? "")t.asset = r.asset AND t.frame = r.frame AND \(isSame) AND p.recipe = r.recipe AND \(all.sql)
            """, (found == nil ? [] : driving?.values ?? []) + all.values)
    }
}

/// Paths of the tree between two bounds.
struct PathRange {
    private let start: [UInt8]
    /// Exclusive upper bound; empty for none.
    private let last: [UInt8]
    private let end: [UInt8]
    private let includesEnd: Bool

    private init(start: [UInt8], last: [UInt8], end: [UInt8], includesEnd: Bool) {
        self.start = start
        self.last = last
        self.end = end
        self.includesEnd = includesEnd
    }

    /// Paths below a folder, after a path. They sort between two bounds, because "0" follows "/" in ASCII.
    init(below folder: RelativePath?, after path: RelativePath?) {
        let bytes = folder?.bytes ?? Array(LibraryLayout.photos.utf8)
        self.init(
            start: bytes + [UInt8(ascii: "/")], last: path?.bytes ?? [], end: bytes + [UInt8(ascii: "0")],
            includesEnd: false)
    }

    /// Has one lower bound, because with two a database might start at the wrong one.
    var condition: SQLFragment {
        let isAfter = !last.lexicographicallyPrecedes(start)
        return SQLFragment(
            "(t.path \(isAfter ? ">" : ">=") ? AND t.path \(includesEnd ? "<=" : "<") ?)",
            [.blob(isAfter ? last : start), .blob(end)])
    }

    func from(_ path: RelativePath) -> PathRange {
        let isLater = start.lexicographicallyPrecedes(path.bytes)
        return PathRange(start: isLater ? path.bytes : start, last: last, end: end, includesEnd: includesEnd)
    }

    /// The part up to a path, and the rest.
    func split(at path: RelativePath) -> (head: PathRange, tail: PathRange) {
        (
            PathRange(start: start, last: last, end: path.bytes, includesEnd: true),
            PathRange(start: start, last: path.bytes, end: end, includesEnd: includesEnd)
        )
    }
}
