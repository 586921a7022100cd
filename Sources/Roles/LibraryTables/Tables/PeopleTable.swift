internal import Database
public import Digest
public import Jobs

/// A user's file in `photos/` that belongs to an asset: an edited photo, or a companion copied with the RAW.
public struct AdoptedEdit: Hashable, Sendable {
    /// The file's path below the library's folder.
    public let path: RelativePath
    /// SHA-256 of the RAW's bytes.
    public let asset: SHA256Value
    /// The frame's index within the RAW, from 0.
    public let frame: UInt32
    /// SHA-256 of the file when it was adopted.
    public let digest: SHA256Value
    /// Its length in bytes when it was adopted.
    public let sizeBytes: UInt64
    /// True if it came with the RAW: a sidecar, camera JPEG, sound or video.
    public let isCompanion: Bool

    /// Memberwise initializer.
    public init(
        path: RelativePath, asset: SHA256Value, frame: UInt32, digest: SHA256Value, sizeBytes: UInt64,
        isCompanion: Bool = false
    ) {
        self.path = path
        self.asset = asset
        self.frame = frame
        self.digest = digest
        self.sizeBytes = sizeBytes
        self.isCompanion = isCompanion
    }

    package func at(_ path: RelativePath) -> AdoptedEdit {
        AdoptedEdit(
            path: path, asset: asset, frame: frame, digest: digest, sizeBytes: sizeBytes, isCompanion: isCompanion)
    }
}

/// The table `people`: names in `photos/` that users' files have. No photo gets such a name.
package struct PeopleTable {
    private let database: LibraryDatabase

    package init(_ database: LibraryDatabase) { self.database = database }

    package func contains(_ path: RelativePath) throws -> Bool {
        try database.hasRow("SELECT 1 FROM people WHERE path = ?", path.bytes)
    }

    /// Records that a user's file has the name, unless there is a row.
    package func insert(_ path: RelativePath) throws {
        try database.perform { connection in
            _ = try connection.run("INSERT INTO people (path) VALUES (?) ON CONFLICT DO NOTHING", path.bytes)
        }
    }

    package func insert(_ edit: AdoptedEdit) throws {
        try database.perform { connection in
            _ = try connection.run(
                """
                INSERT INTO people VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (path) DO UPDATE SET asset = excluded.asset,
                    frame = excluded.frame, sha256 = excluded.sha256, bytes = excluded.bytes, companion = excluded.companion
                """, edit.path.bytes, edit.asset.bytes,
                edit.frame,
                edit.digest.bytes, edit.sizeBytes, edit.isCompanion ? 1 : 0)
        }
    }

    package func remove(_ path: RelativePath) throws {
        try database.perform { _ = try $0.run("DELETE FROM people WHERE path = ?", path.bytes) }
    }

    /// All names in order, with adopted edits.
    package func all() throws -> [(path: RelativePath, edit: AdoptedEdit?)] {
        try database.perform { connection in
            try connection.all("SELECT \(Self.columns) FROM people ORDER BY path") { row in
                (try row.path(0), try AdoptedEdit(row))
            }
        }
    }

    package func edits(of asset: SHA256Value) throws -> [AdoptedEdit] {
        try database.perform { connection in
            try connection.all("SELECT \(Self.columns) FROM people WHERE asset = ? ORDER BY path", asset.bytes) { row in
                try AdoptedEdit(row)
            }
        }.compactMap { $0 }
    }

    private static let columns = "path, asset, frame, sha256, bytes, companion"
}

extension AdoptedEdit {
    /// Reads all columns of `people`; nil for a name without an edit.
    fileprivate init?(_ row: borrowing Row) throws {
        guard !row.isNull(1) else { return nil }
        self.init(
            path: try row.path(0), asset: try row.digest(1), frame: row.frame(2), digest: try row.digest(3),
            sizeBytes: UInt64(bitPattern: row.integer(4)), isCompanion: row.integer(5) != 0)
    }
}
