internal import Database
public import Digest
public import Jobs

/// A source that was moved into the library and awaits removal from its old location.
public struct SourceRemoval: Hashable, Sendable {
    /// The source as the planner saw it. If the file differs now, it is another file and stays.
    public let source: FileStamp
    /// SHA-256 of the RAW's bytes.
    public let asset: SHA256Value

    /// Memberwise initializer.
    public init(source: FileStamp, asset: SHA256Value) {
        self.source = source
        self.asset = asset
    }
}

/// The table `removals`: sources that await removal.
///
/// A manifest alone removes nothing: the row waits until the coordinator confirms that the job was accepted with
/// `move`. A source is removed after the commit, when the RAW's verified copy and its row are durable. If the process
/// is killed before, the next start removes it. Functions throw `LibraryError`.
public struct RemovalTable {
    private let database: LibraryDatabase

    init(_ database: LibraryDatabase) { self.database = database }

    /// Adds an unconfirmed removal, within the transaction that added the RAW's copy to the library.
    public func insert(_ removal: SourceRemoval) throws {
        let stamp = removal.source
        try database.perform { connection in
            _ = try connection.run(
                """
                INSERT INTO removals VALUES (?, ?, ?, ?, ?, 0) ON CONFLICT (root, path) DO UPDATE SET
                    bytes = excluded.bytes, modified = excluded.modified, asset = excluded.asset,
                    confirmed = CASE WHEN removals.asset = excluded.asset THEN removals.confirmed ELSE 0 END
                """, stamp.file.root.text, stamp.file.path.bytes, stamp.sizeBytes, stamp.modifiedNanoseconds,
                removal.asset.bytes)
        }
    }

    /// Confirms the removal of a file with this asset, within a transaction.
    ///
    /// - Returns: the removal to perform after the commit; nil if there is none.
    public func confirm(_ file: FileReference, asset: SHA256Value) throws -> SourceRemoval? {
        try database.perform { connection in
            _ = try connection.run(
                "UPDATE removals SET confirmed = 1 WHERE root = ? AND path = ? AND asset = ?", file.root.text,
                file.path.bytes, asset.bytes)
            return try connection.first(
                "SELECT root, path, bytes, modified FROM removals WHERE root = ? AND path = ? AND asset = ?",
                file.root.text, file.path.bytes, asset.bytes
            ) { row in SourceRemoval(source: try row.stamp(0), asset: asset) }
        }
    }

    /// Confirmed removals, ordered by path.
    public func confirmed() throws -> [SourceRemoval] {
        try database.perform { connection in
            try connection.all(
                "SELECT root, path, bytes, modified, asset FROM removals WHERE confirmed = 1 ORDER BY root, path"
            ) { row in SourceRemoval(source: try row.stamp(0), asset: try row.digest(4)) }
        }
    }

    /// All removals, ordered by path.
    public func all() throws -> [SourceRemoval] {
        try database.perform { connection in
            try connection.all("SELECT root, path, bytes, modified, asset FROM removals ORDER BY root, path") { row in
                SourceRemoval(source: try row.stamp(0), asset: try row.digest(4))
            }
        }
    }

    /// Whether this removal is stored and confirmed.
    public func isConfirmed(_ removal: SourceRemoval) throws -> Bool {
        let stamp = removal.source
        return try database.perform { connection in
            try connection.first(
                """
                SELECT 1 FROM removals
                WHERE root = ? AND path = ? AND bytes = ? AND modified = ? AND asset = ? AND confirmed = 1
                """, stamp.file.root.text, stamp.file.path.bytes, stamp.sizeBytes, stamp.modifiedNanoseconds,
                removal.asset.bytes
            ) { _ in true } ?? false
        }
    }

    /// Deletes a removal that is done or refused.
    public func remove(_ removal: SourceRemoval) throws {
        try database.perform { connection in
            _ = try connection.run(
                "DELETE FROM removals WHERE root = ? AND path = ?", removal.source.file.root.text,
                removal.source.file.path.bytes)
        }
    }
}
