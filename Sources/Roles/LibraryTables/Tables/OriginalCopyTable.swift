internal import Database
package import Digest
package import Jobs
internal import Manifests

/// The table `copies`: RAWs that were copied into the library.
package final class OriginalCopyTable {
    private let database: LibraryDatabase
    /// False if the table was empty when opened and unchanged since, which saves a sole writer a query for each
    /// rendition. A rollback may leave it true, which is harmless.
    package private(set) var mayHaveRows: Bool

    package init(_ database: LibraryDatabase) throws {
        self.database = database
        let hasRows = try database.perform { try $0.first("SELECT 1 FROM copies LIMIT 1") { _ in true } ?? false }
        mayHaveRows = hasRows || database.isShared
    }

    package func insert(_ copy: OriginalCopy, replacing: Bool = false) throws {
        try database.perform { connection in
            _ = try connection.run(
                "INSERT INTO copies VALUES (?, ?, ?)\(replacing ? Self.replacing : "")",
                try database.giveNumber(to: copy.asset), copy.fileExtension, copy.sizeBytes)
        }
        mayHaveRows = true
    }

    private static let replacing =
        " ON CONFLICT (asset) DO UPDATE SET extension = excluded.extension, bytes = excluded.bytes"

    package func remove(_ asset: SHA256Value) throws {
        try database.perform { _ = try $0.run("DELETE FROM copies WHERE asset = ?", database.number(of: asset)) }
    }

    package func copy(of asset: SHA256Value) throws -> OriginalCopy? {
        try database.perform { connection in
            try connection.first("SELECT extension, bytes FROM copies WHERE asset = ?", database.number(of: asset)) {
                row in
                OriginalCopy(
                    asset: asset, fileExtension: row.text(0), sizeBytes: UInt64(bitPattern: row.integer(1)))
            }
        }
    }

    /// All assets with a copy, ordered by hash.
    package func assets() throws -> [SHA256Value] {
        try database.perform { try $0.all("SELECT \(AssetNumbers.hash()) FROM copies ORDER BY 1") { try $0.digest(0) } }
    }

    /// Removes rows of copies whose asset has no rendition, because their job is open or failed. Returns the copies'
    /// paths.
    package func removeOrphans() throws -> [RelativePath] {
        let isOrphan = "asset NOT IN (SELECT asset FROM renditions)"
        return try database.perform { connection in
            let orphans = try connection.all(
                "SELECT \(AssetNumbers.hash()), extension FROM copies WHERE \(isOrphan) ORDER BY 1"
            ) { LibraryLayout.original(try $0.digest(0), fileExtension: $0.text(1)) }
            try connection.run("DELETE FROM copies WHERE \(isOrphan)")
            return orphans
        }
    }
}
