internal import Database
internal import Digest
internal import Jobs

/// The tables `tree` and `displaced`: which file below `photos/` has which name, and the names that files would have
/// accepted if they could not get their first choice.
struct TreeTable {
    /// One file below `photos/`.
    struct Entry {
        /// The rendition it shows; nil for a RAW's copy.
        let key: RenditionKey?
        let path: RelativePath
    }

    let database: LibraryDatabase
    static let isID = "asset = ? AND frame = ? AND look = ? AND root = ? AND raw = ?"

    /// What a file is named by, from the hash of its asset on.
    static let id = "\(AssetNumbers.hash()), frame, look, root, raw"

    init(_ database: LibraryDatabase) { self.database = database }

    private func number(_ id: TreeEntryID) throws -> Int64 { try database.number(of: id.asset) }

    // MARK: Reading

    func entry(_ id: TreeEntryID) throws -> Entry? {
        try database.perform { connection in
            try connection.first(
                "SELECT key, path FROM tree WHERE \(Self.isID)", try number(id), id.frame, id.variant, id.root,
                id.raw
            ) { row in Entry(key: row.isNull(0) ? nil : try row.key(0), path: try row.path(1)) }
        }
    }

    func path(of id: TreeEntryID) throws -> RelativePath? {
        try database.perform { connection in
            try connection.first(
                "SELECT path FROM tree WHERE \(Self.isID)", try number(id), id.frame, id.variant, id.root,
                id.raw
            ) { row in try row.path(0) }
        }
    }

    /// The file's path; nil if it shows another rendition.
    func path(of id: TreeEntryID, showing key: RenditionKey) throws -> RelativePath? {
        try database.perform { connection in
            try connection.first(
                "SELECT path FROM tree WHERE \(Self.isID) AND key = ?", try number(id), id.frame, id.variant, id.root,
                id.raw, key.bytes
            ) { row in try row.path(0) }
        }
    }

    /// The rendition that a file shows, the precedence by which it is shown, and the file's path. The precedence is that of
    /// its order, or that of a person's choice if it was chosen later.
    func current(_ id: TreeEntryID) throws -> (key: RenditionKey, precedence: Int64, path: RelativePath)? {
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

    /// The renditions of an asset that have a file, and its path; the one that the rendition itself names, if it has that.
    func shownPaths(of asset: SHA256Value) throws -> [RenditionKey: RelativePath] {
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

    /// The name that the file of the row `t` of `tree` would have, if a person's file has it; NULL otherwise.
    static let occupied = """
        (SELECT d.path FROM displaced d JOIN people p ON p.path = d.path
            WHERE d.asset = t.asset AND d.frame = t.frame AND d.look = t.look AND d.root = t.root AND d.raw = t.raw
            ORDER BY length(d.path), d.path LIMIT 1)
        """

    /// Names that the photos of an asset would have, but that people's files have; by the paths of those photos.
    func occupiedNames(of asset: SHA256Value) throws -> [RelativePath: RelativePath] {
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

    /// The asset whose file has the path; one element or none.
    func assets(at path: RelativePath) throws -> [SHA256Value] {
        try database.perform { connection in
            try connection.all("SELECT \(AssetNumbers.hash()) FROM tree WHERE path = ?", path.bytes) {
                try $0.digest(0)
            }
        }
    }

    /// All paths that show a rendition of an asset.
    func paths(showing key: RenditionKey, of asset: SHA256Value) throws -> [RelativePath] {
        try database.perform { connection in
            try connection.all(
                "SELECT path FROM tree WHERE asset = ? AND key = ? ORDER BY path", try database.number(of: asset),
                key.bytes
            ) { try $0.path(0) }
        }
    }

    /// The file that has the path.
    func id(at path: RelativePath) throws -> TreeEntryID? {
        try database.perform { connection in
            try connection.first("SELECT \(Self.id) FROM tree WHERE path = ?", path.bytes) { row in
                try TreeEntryID(row)
            }
        }
    }

    /// The current photos of an asset, and its RAW's copy, where their renditions name them.
    func mainEntries(of asset: SHA256Value) throws -> [(id: TreeEntryID, key: RenditionKey?)] {
        try database.perform { connection in
            try connection.all(
                "SELECT \(Self.id), key FROM tree WHERE asset = ? AND root = ''", try database.number(of: asset)
            ) { row in (try TreeEntryID(row), row.isNull(5) ? nil : try row.key(5)) }
        }
    }

    /// The other places of a file.
    func places(of id: TreeEntryID) throws -> [TreeEntryID] {
        try database.perform { connection in
            try connection.all(
                """
                SELECT \(Self.id) FROM tree
                WHERE asset = ? AND frame = ? AND look = ? AND root <> '' ORDER BY root, raw
                """, try number(id), id.frame, id.variant
            ) { row in try TreeEntryID(row) }
        }
    }

    func contains(_ path: RelativePath) throws -> Bool {
        try database.hasRow("SELECT 1 FROM tree WHERE path = ?", path.bytes)
    }

    /// The file that has the name, and those that could not get it.
    func claimants(of name: RelativePath) throws -> [TreeEntryID] {
        try database.perform { connection in
            try connection.all(
                """
                SELECT \(Self.id) FROM tree WHERE path = ?1
                UNION SELECT \(Self.id) FROM displaced WHERE path = ?1
                """, name.bytes
            ) { row in try TreeEntryID(row) }
        }
    }

    /// True if a file would have accepted the name but has another.
    func isContested(_ name: RelativePath) throws -> Bool {
        try database.hasRow("SELECT 1 FROM displaced WHERE path = ?", name.bytes)
    }

    // MARK: Writing

    /// - Parameter key: the rendition; nil for a RAW's copy.
    /// - Returns: false, without writing, if another file has the path.
    func insert(_ id: TreeEntryID, key: RenditionKey?, path: RelativePath) throws -> Bool {
        try database.perform { connection in
            try connection.run(
                "INSERT INTO tree VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (path) DO NOTHING",
                try database.giveNumber(to: id.asset), id.frame, id.variant, id.root, id.raw, key?.bytes, path.bytes)
                > 0
        }
    }

    /// Makes the file show another rendition.
    func setKey(_ key: RenditionKey?, of id: TreeEntryID) throws {
        try database.perform { connection in
            _ = try connection.run(
                "UPDATE tree SET key = ? WHERE \(Self.isID)", key?.bytes, try number(id), id.frame, id.variant,
                id.root, id.raw)
        }
    }

    /// Notes all names the file would have accepted, because it did not get its first choice.
    func insertDisplaced(_ claim: TreeClaim) throws {
        let number = try database.giveNumber(to: claim.id.asset)
        for name in Set(claim.names) {
            try database.perform { connection in
                _ = try connection.run(
                    "INSERT INTO displaced VALUES (?, ?, ?, ?, ?, ?)", name.bytes, number, claim.id.frame,
                    claim.id.variant, claim.id.root, claim.id.raw)
            }
        }
    }

    /// Gives a file another variant, at each of its places.
    func rename(_ id: TreeEntryID, to variant: String) throws {
        for table in ["tree", "displaced"] {
            try database.perform { connection in
                _ = try connection.run(
                    "UPDATE \(table) SET look = ? WHERE asset = ? AND frame = ? AND look = ?", variant, try number(id),
                    id.frame, id.variant)
            }
        }
    }

    /// Removes the file's rows from both tables.
    func remove(_ id: TreeEntryID) throws {
        for table in ["tree", "displaced"] {
            try database.perform { connection in
                _ = try connection.run(
                    "DELETE FROM \(table) WHERE \(Self.isID)", try number(id), id.frame, id.variant, id.root, id.raw)
            }
        }
    }
}

extension TreeEntryID {
    /// As the column `root` has it: empty for the place that the rendition itself names.
    var root: String { place?.root.text ?? "" }
    /// As the column `raw` has it.
    var raw: [UInt8] { place?.path.bytes ?? [] }

    /// From the columns asset, frame, look, root, raw.
    init(_ row: borrowing Row) throws {
        var place: FileReference?
        if let root = RootName(row.text(3)) { place = FileReference(root: root, path: try row.path(4)) }
        self.init(asset: try row.digest(0), frame: row.frame(1), variant: row.text(2), place: place)
    }
}
