internal import Database
internal import Digest

/// The table `recent_assets`: RAWs that are not yet in `sorted_assets`, the table of numbers by hash.
///
/// Hashes are random: a thousand new ones change as many pages of a large table, and each page is written twice. So
/// this table collects new hashes in the order of their numbers and sorts them in together: of 65,536 hashes, six
/// belong on one page of a million's. After the log-structured merge-tree with two components (Patrick O'Neil, Edward
/// Cheng, Dieter Gawlick and Elizabeth O'Neil, 1996).
///
/// PostgreSQL logs rows instead of pages, so there new hashes are sorted in at once, and an index finds those of a
/// library moved there. SQLite has no such index, which each batch would have to write: a lookup reads the rows added
/// since the last one, in at most 25 ms, and remembers them. A number never changes; a rebuild numbers again, but in
/// another file.
struct RecentAssets {
    private let connection: Connection
    /// The numbers of rows up to `last`, including rows sorted in since.
    private var numbers: [SHA256Value: Int64] = [:]
    private var last: Int64 = 0

    init(_ connection: Connection) { self.connection = connection }

    /// The limit of recent RAWs for a library of this size.
    static func maxCount(of all: Int64) -> Int64 { min(max(all / 16, 4096), 65_536) }

    /// Numbers of the assets that are recent, or were when read.
    mutating func numbers(of assets: [SHA256Value]) throws -> [SHA256Value: Int64] {
        // Bounds the rows that another process has sorted in, which this one does not notice.
        if numbers.count > 2 * Self.maxCount(of: .max) { forget() }
        try connection.each("SELECT hash, id FROM recent_assets WHERE id > ? ORDER BY id", last) { row in
            last = row.integer(1)
            numbers[try row.digest(0)] = last
        }
        var found: [SHA256Value: Int64] = [:]
        for asset in assets { found[asset] = numbers[asset] }
        return found
    }

    /// Adds rows; if there are too many, merges all into the sorted table. Call it within a transaction.
    ///
    /// - Parameter rows: number and hash; the last row has the highest number of all.
    mutating func insert(_ rows: [[DatabaseValue]], last: Int64) throws {
        let table = connection.isServers ? "sorted_assets" : "recent_assets"
        try connection.run("INSERT INTO \(table) (id, hash) VALUES (?, ?)", rows: rows)
        if connection.isServers { return }
        let first = try connection.first("SELECT min(id) FROM recent_assets") { $0.integer(0) } ?? last
        guard last - first >= Self.maxCount(of: last) else { return }
        try connection.run("INSERT INTO sorted_assets (hash, id) SELECT hash, id FROM recent_assets ORDER BY hash")
        try connection.run("DELETE FROM recent_assets")
        numbers.removeAll(keepingCapacity: true)
    }

    /// Call it after a rollback, which may have undone numbers.
    mutating func forget() {
        numbers.removeAll()
        last = 0
    }
}
