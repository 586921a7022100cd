internal import Database
internal import Digest

/// The table `recent_assets`: the RAWs that are not yet in `sorted_assets`, the table of numbers by hash.
///
/// Hashes are in no order. A thousand new ones change as many pages of a large table of them, and each page is written twice. So
/// they are collected here, where rows lie in the order of their numbers, and sorted in together: of 65,536 six have their places
/// on one page of a million's. After the log-structured merge-tree (Patrick O'Neil, Edward Cheng, Dieter Gawlick and Elizabeth
/// O'Neil, 1996), with two components.
///
/// A server, which writes down rows and keeps pages in memory, has new ones sorted in at once; those of a library that was moved
/// there are found by an index. A file has none, which would be written with each batch: who looks for a hash reads the rows that
/// it has not read yet, 25 ms at most, and remembers them. A number is its RAW's for good. (A rebuild numbers anew, but in another
/// file, which who has the old one open does not see.)
struct RecentAssets {
    private let connection: Connection
    /// Of rows up to `last`, whether they are still in the table or were sorted in.
    private var numbers: [SHA256Value: Int64] = [:]
    private var last: Int64 = 0

    init(_ connection: Connection) { self.connection = connection }

    /// How many of a library's RAWs may be recent.
    static func maxCount(of all: Int64) -> Int64 { min(max(all / 16, 4096), 65_536) }

    /// The numbers of those of the assets that are recent, or were when they were read.
    mutating func numbers(of assets: [SHA256Value]) throws -> [SHA256Value: Int64] {
        // Of those that another process sorts in, nothing is known here.
        if numbers.count > 2 * Self.maxCount(of: .max) { forget() }
        try connection.each("SELECT hash, id FROM recent_assets WHERE id > ? ORDER BY id", last) { row in
            last = row.integer(1)
            numbers[try row.digest(0)] = last
        }
        var found: [SHA256Value: Int64] = [:]
        for asset in assets { found[asset] = numbers[asset] }
        return found
    }

    /// Adds rows, and sorts all in if they are too many. Within a transaction.
    ///
    /// - Parameter rows: number and hash; the last one has the highest number of all assets.
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

    /// A rollback takes numbers back.
    mutating func forget() {
        numbers.removeAll()
        last = 0
    }
}
