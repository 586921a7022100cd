package import Database
package import Digest
package import Jobs

/// The tables `tree` and `displaced`: the name of each file in `photos/`, and the names that files without their first
/// choice would accept.
package struct TreeTable {
    package struct Entry {
        /// Nil for a RAW's copy.
        package let key: RenditionKey?
        package let path: RelativePath
    }

    package let database: LibraryDatabase
    static let isID = "asset = ? AND frame = ? AND look = ? AND root = ? AND raw = ?"

    /// The columns that identify a file, with its asset's hash.
    static let id = "\(AssetNumbers.hash()), frame, look, root, raw"

    package init(_ database: LibraryDatabase) { self.database = database }

    private func number(_ id: TreeEntryID) throws -> Int64 { try database.number(of: id.asset) }

    // MARK: Reading

    package func entry(_ id: TreeEntryID) throws -> Entry? {
        try database.perform { connection in
            try connection.first(
                "SELECT key, path FROM tree WHERE \(Self.isID)", try number(id), id.frame, id.variant, id.root,
                id.raw
            ) { row in Entry(key: row.isNull(0) ? nil : try row.key(0), path: try row.path(1)) }
        }
    }

    package func path(of id: TreeEntryID) throws -> RelativePath? {
        try database.perform { connection in
            try connection.first(
                "SELECT path FROM tree WHERE \(Self.isID)", try number(id), id.frame, id.variant, id.root,
                id.raw
            ) { row in try row.path(0) }
        }
    }

    /// The file's path; nil if it shows another rendition.
    package func path(of id: TreeEntryID, showing key: RenditionKey) throws -> RelativePath? {
        try database.perform { connection in
            try connection.first(
                "SELECT path FROM tree WHERE \(Self.isID) AND key = ?", try number(id), id.frame, id.variant, id.root,
                id.raw, key.bytes
            ) { row in try row.path(0) }
        }
    }

    /// The rendition that a file shows, its path, and its precedence there: the order's, or that of a later choice by a
    /// user.
    package func current(_ id: TreeEntryID) throws -> (key: RenditionKey, precedence: Int64, path: RelativePath)? {
        try database.perform { connection in
            try connection.first(
                """
                SELECT t.key, coalesce(c.precedence, r.finished), t.path FROM tree t
                LEFT JOIN renditions r ON r.asset = t.asset AND r.key = t.key
                LEFT JOIN choices c ON c.asset = t.asset AND c.frame = t.frame AND c.look = t.look AND c.key = t.key
                    AND (r.held = 1 OR c.precedence > r.finished)
                WHERE t.asset = ? AND t.frame = ? AND t.look = ? AND t.root = ? AND t.raw = ?
                """, try number(id), id.frame, id.variant, id.root,
                id.raw
            ) { row in (key: try row.key(0), precedence: row.integer(1), path: try row.path(2)) }
        }
    }

    /// The asset's shown renditions with their paths, preferring the rendition's own.
    package func shownPaths(of asset: SHA256Value) throws -> [RenditionKey: RelativePath] {
        var shown: [RenditionKey: RelativePath] = [:]
        try database.perform { connection in
            try connection.each(
                "SELECT key, path FROM tree WHERE asset = ? AND key IS NOT NULL ORDER BY root DESC, raw DESC",
                try database.number(of: asset)
            ) { row in
                shown[try row.key(0)] = try row.path(1)
            }
        }
        return shown
    }

    /// SQL for the name that a photo would have without a user's file there; NULL if it has its first choice.
    package static let occupied = """
        (SELECT d.path FROM displaced d JOIN people p ON p.path = d.path
            WHERE d.asset = t.asset AND d.frame = t.frame AND d.look = t.look AND d.root = t.root AND d.raw = t.raw
            ORDER BY length(d.path), d.path LIMIT 1)
        """

    /// Names that the asset's photos would have without users' files there, by the photos' paths.
    package func occupiedNames(of asset: SHA256Value) throws -> [RelativePath: RelativePath] {
        var names: [RelativePath: RelativePath] = [:]
        try database.perform { connection in
            try connection.each(
                "SELECT t.path, \(Self.occupied) FROM tree t WHERE t.asset = ?", try database.number(of: asset)
            ) { row in
                if !row.isNull(1) { names[try row.path(0)] = try row.path(1) }
            }
        }
        return names
    }

    package func assets(at path: RelativePath) throws -> [SHA256Value] {
        try database.perform { connection in
            try connection.all("SELECT \(AssetNumbers.hash()) FROM tree WHERE path = ?", path.bytes) {
                try $0.digest(0)
            }
        }
    }

    package func paths(showing key: RenditionKey, of asset: SHA256Value) throws -> [RelativePath] {
        try database.perform { connection in
            try connection.all(
                "SELECT path FROM tree WHERE asset = ? AND key = ? ORDER BY path", try database.number(of: asset),
                key.bytes
            ) { try $0.path(0) }
        }
    }

    package func id(at path: RelativePath) throws -> TreeEntryID? {
        try database.perform { connection in
            try connection.first("SELECT \(Self.id) FROM tree WHERE path = ?", path.bytes) { row in
                try TreeEntryID(row)
            }
        }
    }

    /// The asset's photos and the RAW's copy, at their renditions' own paths.
    package func mainEntries(of asset: SHA256Value) throws -> [(id: TreeEntryID, key: RenditionKey?)] {
        try database.perform { connection in
            try connection.all(
                "SELECT \(Self.id), key FROM tree WHERE asset = ? AND root = ''", try database.number(of: asset)
            ) { row in (try TreeEntryID(row), row.isNull(5) ? nil : try row.key(5)) }
        }
    }

    package func places(of id: TreeEntryID) throws -> [TreeEntryID] {
        try database.perform { connection in
            try connection.all(
                """
                SELECT \(Self.id) FROM tree
                WHERE asset = ? AND frame = ? AND look = ? AND root <> '' ORDER BY root, raw
                """, try number(id), id.frame, id.variant
            ) { row in try TreeEntryID(row) }
        }
    }

    package func contains(_ path: RelativePath) throws -> Bool {
        try database.hasRow("SELECT 1 FROM tree WHERE path = ?", path.bytes)
    }

    /// The file that has the name, and those that wanted it.
    package func claimants(of name: RelativePath) throws -> [TreeEntryID] {
        try database.perform { connection in
            try connection.all(
                """
                SELECT \(Self.id) FROM tree WHERE path = ?1
                UNION SELECT \(Self.id) FROM displaced WHERE path = ?1
                """, name.bytes
            ) { row in try TreeEntryID(row) }
        }
    }

    package func isContested(_ name: RelativePath) throws -> Bool {
        try database.hasRow("SELECT 1 FROM displaced WHERE path = ?", name.bytes)
    }

    // MARK: Writing

    /// - Parameter key: the rendition; nil for a RAW's copy.
    /// - Returns: false, without writing, if another file has the path.
    package func insert(_ id: TreeEntryID, key: RenditionKey?, path: RelativePath) throws -> Bool {
        try database.perform { connection in
            try connection.run(
                "INSERT INTO tree VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (path) DO NOTHING",
                try database.giveNumber(to: id.asset), id.frame, id.variant, id.root, id.raw, key?.bytes, path.bytes)
                > 0
        }
    }

    package func setKey(_ key: RenditionKey?, of id: TreeEntryID) throws {
        try database.perform { connection in
            _ = try connection.run(
                "UPDATE tree SET key = ? WHERE \(Self.isID)", key?.bytes, try number(id), id.frame, id.variant,
                id.root, id.raw)
        }
    }

    /// Records all names that the file would accept, because it did not get its first choice.
    package func insertDisplaced(_ id: TreeEntryID, names: [RelativePath]) throws {
        let number = try database.giveNumber(to: id.asset)
        for name in Set(names) {
            try database.perform { connection in
                _ = try connection.run(
                    "INSERT INTO displaced VALUES (?, ?, ?, ?, ?, ?)", name.bytes, number, id.frame, id.variant,
                    id.root, id.raw)
            }
        }
    }

    /// Gives a file another variant, at each of its places.
    package func rename(_ id: TreeEntryID, to variant: String) throws {
        for table in ["tree", "displaced"] {
            try database.perform { connection in
                _ = try connection.run(
                    "UPDATE \(table) SET look = ? WHERE asset = ? AND frame = ? AND look = ?", variant, try number(id),
                    id.frame, id.variant)
            }
        }
    }

    package func remove(_ id: TreeEntryID) throws {
        for table in ["tree", "displaced"] {
            try database.perform { connection in
                _ = try connection.run(
                    "DELETE FROM \(table) WHERE \(Self.isID)", try number(id), id.frame, id.variant, id.root, id.raw)
            }
        }
    }
}

extension TreeEntryID {
    /// The column `root`: empty for the rendition's own path.
    package var root: String { place?.root.text ?? "" }
    package var raw: [UInt8] { place?.path.bytes ?? [] }

    /// From asset, frame, look, root, raw.
    package init(_ row: borrowing Row) throws {
        var place: FileReference?
        if let root = RootName(row.text(3)) { place = FileReference(root: root, path: try row.path(4)) }
        self.init(asset: try row.digest(0), frame: row.frame(1), variant: row.text(2), place: place)
    }
}
