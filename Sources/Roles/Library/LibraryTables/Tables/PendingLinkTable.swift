internal import Database
internal import Jobs

/// The table `unsettled`: names below `photos/` whose file may not match its row yet. A transaction that changes rows
/// of the tree notes their names here; `LinkUpdater` changes the files after the commit.
struct PendingLinkTable {
    private let database: LibraryDatabase

    init(_ database: LibraryDatabase) { self.database = database }

    /// Notes a name, within the transaction that changes its row.
    func insert(_ path: RelativePath) throws {
        try database.perform { _ = try $0.run("INSERT INTO unsettled VALUES (?) ON CONFLICT DO NOTHING", path.bytes) }
    }

    /// Notes names, each once.
    func insert(_ paths: [RelativePath]) throws {
        try database.perform {
            _ = try $0.run(
                "INSERT INTO unsettled VALUES (?) ON CONFLICT DO NOTHING", rows: paths.map { [.blob($0.bytes)] })
        }
    }

    /// Notes every name of the tree.
    func insertAll() throws {
        try database.perform {
            _ = try $0.run("INSERT INTO unsettled SELECT path FROM tree WHERE true ON CONFLICT DO NOTHING")
        }
    }

    /// Names in order, those after `path`, with the objects that they show; empty at the end.
    ///
    /// - Parameters:
    ///   - known: what names show, as far as it is known. Rows are asked if it is not known of all.
    ///   - withoutRow: only those that no row has any more.
    func page(
        after path: RelativePath?, limit: Int, known: [RelativePath: PendingLink] = [:], withoutRow: Bool = false
    ) throws -> [PendingLink] {
        try database.perform { connection in
            if !known.isEmpty {
                let paths = try connection.all(
                    "SELECT path FROM unsettled WHERE path > ? ORDER BY path LIMIT ?", path?.bytes ?? [], limit
                ) { try $0.path(0) }
                let links = paths.compactMap { known[$0] }
                if links.count == paths.count { return links }
            }
            return try connection.all(
                """
                SELECT u.path, t.key, \(AssetNumbers.hash("c.asset")), c.extension, r.photo_sha256
                FROM (SELECT n.path FROM unsettled n WHERE n.path > ? \(withoutRow ? Self.hasNoRow : "")
                    ORDER BY n.path LIMIT ?) u
                LEFT JOIN tree t ON t.path = u.path
                LEFT JOIN renditions r ON r.asset = t.asset AND r.key = t.key
                LEFT JOIN copies c ON t.key IS NULL AND c.asset = t.asset ORDER BY u.path
                """, path?.bytes ?? [], limit
            ) { row in
                let object = try row.object(1)
                return PendingLink(
                    path: try row.path(0), object: object,
                    digest: object.flatMap { _ in try? row.digest(row.isNull(1) ? 2 : 4) },
                    isRaw: row.isNull(1))
            }
        }
    }

    private static let hasNoRow = "AND NOT EXISTS (SELECT 1 FROM tree s WHERE s.path = n.path)"

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
