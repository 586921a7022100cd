internal import Database
internal import Jobs

/// The table `unsettled`: names below `photos/` whose file may not match its row yet. A transaction that changes rows
/// of the tree notes their names here; `LinkUpdater` changes the files after the commit.
struct PendingLinkTable {
    private let database: LibraryDatabase

    init(_ database: LibraryDatabase) { self.database = database }

    /// Notes a name, within the transaction that changes its row.
    func insert(_ path: RelativePath) throws {
        try database.perform { _ = try $0.run("INSERT OR IGNORE INTO unsettled VALUES (?)", path.bytes) }
    }

    /// Calls `body` with each name, in order, and with the object that its file has to be a link to; nil if no row has
    /// the name any more.
    func each(_ body: (_ path: RelativePath, _ object: RelativePath?) throws -> Void) throws {
        try database.perform { connection in
            try connection.each(
                """
                SELECT u.path, t.key, c.asset, c.extension FROM unsettled u LEFT JOIN tree t ON t.path = u.path
                LEFT JOIN copies c ON t.key IS NULL AND c.asset = t.asset ORDER BY u.path
                """
            ) { row in try body(try row.path(0), try row.object(1)) }
        }
    }

    /// All names, in order.
    func paths() throws -> [RelativePath] {
        try database.perform { try $0.all("SELECT path FROM unsettled ORDER BY path") { try $0.path(0) } }
    }

    /// True if no name is noted.
    var isEmpty: Bool {
        get throws { try database.perform { try $0.first("SELECT 1 FROM unsettled LIMIT 1") { _ in false } ?? true } }
    }

    /// Forgets all names.
    func removeAll() throws { try database.perform { _ = try $0.run("DELETE FROM unsettled") } }
}
