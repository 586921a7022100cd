internal import Database
public import Digest
public import Jobs

/// A source that was moved into the library, so that its file at the old location has to be removed.
public struct SourceRemoval: Hashable, Sendable {
    /// The source as the planner saw it. If the file looks different now, it is another file and stays.
    public let source: FileStamp
    /// SHA-256 of the RAW's bytes.
    public let asset: SHA256Value

    /// Takes the parts as they are.
    public init(source: FileStamp, asset: SHA256Value) {
        self.source = source
        self.asset = asset
    }
}

/// The table `removals`: sources that still have to be removed.
///
/// A source is removed only after the commit that notes it: the RAW's verified copy, its row and the note are durable
/// then. A process that is killed before the removal leaves the note for the next start.
public struct RemovalTable {
    private let database: LibraryDatabase

    init(_ database: LibraryDatabase) { self.database = database }

    /// Notes a removal, within the transaction that took the RAW's copy into the library.
    ///
    /// - Throws: `LibraryError`.
    public func insert(_ removal: SourceRemoval) throws {
        let stamp = removal.source
        try database.perform { connection in
            _ = try connection.run(
                "INSERT OR REPLACE INTO removals VALUES (?, ?, ?, ?, ?)", stamp.file.root.text, stamp.file.path.bytes,
                stamp.sizeBytes, stamp.modifiedNanoseconds, removal.asset.bytes)
        }
    }

    /// All removals that are still to be done, in the order of their paths.
    ///
    /// - Throws: `LibraryError`.
    public func all() throws -> [SourceRemoval] {
        try database.perform { connection in
            try connection.all("SELECT root, path, bytes, modified, asset FROM removals ORDER BY root, path") { row in
                SourceRemoval(source: try row.stamp(0), asset: try row.digest(4))
            }
        }
    }

    /// Forgets a removal that is done, or that must not be done.
    ///
    /// - Throws: `LibraryError`.
    public func remove(_ removal: SourceRemoval) throws {
        try database.perform { connection in
            _ = try connection.run(
                "DELETE FROM removals WHERE root = ? AND path = ?", removal.source.file.root.text,
                removal.source.file.path.bytes)
        }
    }
}
