internal import Database
package import Digest
package import Jobs

// Queries and changes of many files at once.

extension TreeTable {
    /// A file and the rendition that it shows, without users' choices.
    package struct ShownEntry {
        package let id: TreeEntryID
        /// Nil for a RAW's copy.
        package let key: RenditionKey?
        package let finished: Int64
        package let path: RelativePath

        package init(id: TreeEntryID, key: RenditionKey?, finished: Int64, path: RelativePath) {
            self.id = id
            self.key = key
            self.finished = finished
            self.path = path
        }
    }

    package func entries(of assets: [SHA256Value]) throws -> [SHA256Value: [ShownEntry]] {
        var entries: [SHA256Value: [ShownEntry]] = [:]
        try database.perform { connection in
            try connection.each(
                """
                SELECT \(AssetNumbers.hash("t.asset")), t.frame, t.look, t.root, t.raw, t.key, r.finished, t.path
                FROM tree t LEFT JOIN renditions r ON r.asset = t.asset AND r.key = t.key WHERE t.asset = ?
                """, keys: try database.numbers(of: assets).values.sorted().map { [.integer($0)] }
            ) { row in
                let id = try TreeEntryID(row)
                entries[id.asset, default: []].append(
                    ShownEntry(
                        id: id, key: row.isNull(5) ? nil : try row.key(5), finished: row.integer(6),
                        path: try row.path(7)))
            }
        }
        return entries
    }

    /// The assets that have a RAW's copy or a photo with a chosen revision.
    package func assetsWithMore(of assets: [SHA256Value]) throws -> Set<SHA256Value> {
        try self.assets(
            assets, "SELECT asset FROM copies WHERE asset = ?1 UNION ALL SELECT asset FROM choices WHERE asset = ?1")
    }

    /// The assets that have a RAW's copy or a file without its first choice.
    package func assetsWithCopiesOrWishes(of assets: [SHA256Value]) throws -> Set<SHA256Value> {
        try self.assets(
            assets, "SELECT asset FROM copies WHERE asset = ?1 UNION ALL SELECT asset FROM displaced WHERE asset = ?1")
    }

    private func assets(_ assets: [SHA256Value], _ sql: String) throws -> Set<SHA256Value> {
        let numbers = try database.numbers(of: assets)
        var found: Set<Int64> = []
        try database.perform { connection in
            try connection.each(sql, keys: numbers.values.sorted().map { [.integer($0)] }) { row in
                found.insert(row.integer(0))
            }
        }
        return Set(assets.filter { numbers[$0].map(found.contains) ?? false })
    }

    package struct NamesInUse {
        package var held: Set<RelativePath> = []
        /// Names of users' files, and names that a file with another name would accept.
        package var contested: Set<RelativePath> = []

        package init(held: Set<RelativePath> = [], contested: Set<RelativePath> = []) {
            self.held = held
            self.contested = contested
        }
    }

    package func namesInUse(of names: [RelativePath]) throws -> NamesInUse {
        var found = NamesInUse()
        try database.perform { connection in
            try connection.each(
                """
                SELECT path, 1 FROM tree WHERE path = ?1 UNION ALL SELECT path, 0 FROM displaced WHERE path = ?1
                UNION ALL SELECT path, 0 FROM people WHERE path = ?1
                """, keys: names.map { [.blob($0.bytes)] }
            ) { row in
                let path = try row.path(0)
                if row.integer(1) == 1 { found.held.insert(path) } else { found.contested.insert(path) }
            }
        }
        return found
    }

    package func insert(_ entries: [(id: TreeEntryID, key: RenditionKey, path: RelativePath)]) throws {
        let numbers = try database.giveNumbers(to: entries.map(\.id.asset))
        let rows: [[DatabaseValue]] = entries.map { id, key, path in
            [
                .integer(numbers[id.asset] ?? 0), .integer(Int64(id.frame)), .text(id.variant), .text(id.root),
                .blob(id.raw),
                .blob(key.bytes), .blob(path.bytes),
            ]
        }
        try database.perform { try $0.run("INSERT INTO tree VALUES (?, ?, ?, ?, ?, ?, ?)", rows: rows) }
    }

    package func setKeys(_ keys: [TreeEntryID: RenditionKey]) throws {
        let numbers = try database.numbers(of: keys.keys.map(\.asset))
        let rows: [[DatabaseValue]] = keys.sorted { $0.key < $1.key }.map { id, key in
            [
                .blob(key.bytes), .integer(numbers[id.asset] ?? 0), .integer(Int64(id.frame)), .text(id.variant),
                .text(id.root),
                .blob(id.raw),
            ]
        }
        try database.perform { try $0.run("UPDATE tree SET key = ? WHERE \(Self.isID)", rows: rows) }
    }

    /// Changes variants, renditions and names of photos at their renditions' own paths. The names must be free.
    package func change(
        _ files: [(id: TreeEntryID, variant: String, key: RenditionKey, path: RelativePath)]
    ) throws {
        let numbers = try database.numbers(of: files.map(\.id.asset))
        let rows: [[DatabaseValue]] = files.map { id, variant, key, path in
            [
                .text(variant), .blob(key.bytes), .blob(path.bytes), .integer(numbers[id.asset] ?? 0),
                .integer(Int64(id.frame)), .text(id.variant), .text(id.root), .blob(id.raw),
            ]
        }
        try database.perform {
            try $0.run("UPDATE tree SET look = ?, key = ?, path = ? WHERE \(Self.isID)", rows: rows)
        }
    }
}
