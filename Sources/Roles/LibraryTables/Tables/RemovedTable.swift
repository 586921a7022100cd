internal import Database
public import Digest
package import Jobs
public import Manifests

/// The tables `removed` and `doomed`. The removal of a photo is recorded until it is rendered again, so that an audit
/// does not report it as missing. Its files are recorded in the transaction that removes its rows and deleted
/// afterwards, so that a process that dies in between leaves no unknown files. Functions throw `LibraryError`.
public final class RemovedTable {
    /// A file that no row refers to.
    package struct DoomedFile: Hashable, Sendable {
        package let path: RelativePath
        /// SHA-256 according to the row. A file with other bytes stays.
        package let digest: SHA256Value

        package init(path: RelativePath, digest: SHA256Value) {
            self.path = path
            self.digest = digest
        }
    }

    private let database: LibraryDatabase
    /// False if the tables were empty when opened and unchanged since, which saves the writer statements for each
    /// rendition.
    private var mayHaveRows: Bool

    package init(_ database: LibraryDatabase) throws {
        self.database = database
        mayHaveRows = try database.perform { connection in
            try connection.first("SELECT 1 FROM removed UNION ALL SELECT 1 FROM doomed LIMIT 1") { _ in true } ?? false
        }
    }

    // MARK: Facts

    /// True if photos of the RAW with this recipe were removed and not rendered again.
    public func contains(_ asset: SHA256Value, recipe: SHA256Value) throws -> Bool {
        try database.hasRow("SELECT 1 FROM removed WHERE asset = ? AND recipe = ?", asset.bytes, recipe.bytes)
    }

    /// RAWs and recipes whose photos were all removed.
    public func all() throws -> [RemovedPhoto] {
        try database.perform { connection in
            let removed = try connection.all(
                "SELECT DISTINCT asset, recipe FROM removed ORDER BY asset, recipe"
            ) { row in
                RemovedPhoto(asset: try row.digest(0), recipe: try row.digest(1))
            }
            let assets = try database.numbers(of: Set(removed.map(\.asset)))
            var recipes: [Int64: Set<SHA256Value>] = [:]
            try connection.each(
                "SELECT asset, recipe FROM renditions WHERE asset = ?", keys: assets.values.map { [.integer($0)] }
            ) { row in recipes[row.integer(0), default: []].insert(try row.digest(1)) }
            return removed.filter { photo in
                assets[photo.asset].flatMap { recipes[$0] }?.contains(photo.recipe) != true
            }
        }
    }

    package func insert(_ record: RenditionRecord) throws {
        try insert(record.key, record.asset, recipe: record.recipe.id)
        try doom(DoomedFile(path: LibraryLayout.photo(record.key), digest: record.photo.digest))
        if let preview = record.preview {
            try doom(DoomedFile(path: LibraryLayout.preview(record.key), digest: preview.digest))
        }
    }

    package func insert(_ key: RenditionKey, _ asset: SHA256Value, recipe: SHA256Value) throws {
        mayHaveRows = true
        try database.perform { connection in
            _ = try connection.run(
                """
                INSERT INTO removed VALUES (?, ?, ?)
                ON CONFLICT (key) DO UPDATE SET asset = excluded.asset, recipe = excluded.recipe
                """, key.bytes, asset.bytes, recipe.bytes)
        }
    }

    package func contains(_ key: RenditionKey) throws -> Bool {
        try database.hasRow("SELECT 1 FROM removed WHERE key = ?", key.bytes)
    }

    package func each(_ body: (RenditionKey, _ asset: SHA256Value, _ recipe: SHA256Value) throws -> Void) throws {
        try database.perform { connection in
            try connection.each("SELECT key, asset, recipe FROM removed ORDER BY key") { row in
                try body(try row.key(0), try row.digest(1), try row.digest(2))
            }
        }
    }

    /// Deletes the record, because the rendition is in the library again.
    package func forget(_ key: RenditionKey) throws {
        guard mayHaveRows else { return }
        try database.perform { _ = try $0.run("DELETE FROM removed WHERE key = ?", key.bytes) }
        for path in [LibraryLayout.photo(key), LibraryLayout.preview(key)] { try spare(path) }
    }

    package func forget(_ keys: [RenditionKey]) throws {
        guard mayHaveRows else { return }
        let paths = keys.flatMap { [LibraryLayout.photo($0), LibraryLayout.preview($0)] }
        try database.perform { connection in
            try connection.run("DELETE FROM removed WHERE key = ?", rows: keys.map { [.blob($0.bytes)] })
            try connection.run("DELETE FROM doomed WHERE path = ?", rows: paths.map { [.blob($0.bytes)] })
        }
    }

    // MARK: Files

    package func doom(_ file: DoomedFile) throws {
        mayHaveRows = true
        try database.perform { connection in
            _ = try connection.run(
                "INSERT INTO doomed VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET sha256 = excluded.sha256",
                file.path.bytes, file.digest.bytes)
        }
    }

    /// Deletes the record of a file that is deleted or stays.
    package func spare(_ path: RelativePath) throws {
        guard mayHaveRows else { return }
        try database.perform { _ = try $0.run("DELETE FROM doomed WHERE path = ?", path.bytes) }
    }

    /// The next files to delete; empty at the end.
    package func doomed(limit: Int = .max) throws -> [DoomedFile] {
        try database.perform { connection in
            try connection.all("SELECT path, sha256 FROM doomed ORDER BY path LIMIT ?", limit) { row in
                DoomedFile(path: try row.path(0), digest: try row.digest(1))
            }
        }
    }

    package func isDoomed(_ path: RelativePath) throws -> Bool {
        try database.hasRow("SELECT 1 FROM doomed WHERE path = ?", path.bytes)
    }
}
