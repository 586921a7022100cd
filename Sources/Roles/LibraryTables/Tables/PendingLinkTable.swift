internal import Database
package import Jobs

/// The table `unsettled`: names in `photos/` whose file may not match its row yet. A transaction that changes rows of
/// the tree adds their names; `LinkUpdater` changes the files after the commit.
package struct PendingLinkTable {
    private let database: LibraryDatabase

    package init(_ database: LibraryDatabase) { self.database = database }

    package func insert(_ path: RelativePath) throws {
        try database.perform { _ = try $0.run("INSERT INTO unsettled VALUES (?) ON CONFLICT DO NOTHING", path.bytes) }
    }

    package func insert(_ paths: [RelativePath]) throws {
        try database.perform {
            _ = try $0.run(
                "INSERT INTO unsettled VALUES (?) ON CONFLICT DO NOTHING", rows: paths.map { [.blob($0.bytes)] })
        }
    }

    package func insertAll() throws {
        try database.perform {
            _ = try $0.run("INSERT INTO unsettled SELECT path FROM tree WHERE true ON CONFLICT DO NOTHING")
        }
    }

    /// Names after `path` in order, with their objects; empty at the end.
    ///
    /// - Parameters:
    ///   - known: known objects of names. The rows are read unless it has all names.
    ///   - withoutRow: returns only names without a row.
    package func page(
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

    package func paths() throws -> [RelativePath] {
        try database.perform { try $0.all("SELECT path FROM unsettled ORDER BY path") { try $0.path(0) } }
    }

    package var isEmpty: Bool {
        get throws { try database.perform { try $0.first("SELECT 1 FROM unsettled LIMIT 1") { _ in false } ?? true } }
    }

    package func removeAll() throws { try database.perform { _ = try $0.run("DELETE FROM unsettled") } }
}
