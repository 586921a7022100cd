package import Database
internal import Digest
package import Jobs

/// The table `placed`: files that Rawmill put into `photos/`, which distinguishes them from users' files.
package struct PlacedTable {
    private let database: LibraryDatabase

    package init(_ database: LibraryDatabase) { self.database = database }

    package func file(at path: RelativePath) throws -> PlacedFile? {
        try database.perform { connection in
            try connection.first(
                "SELECT sha256, inode, bytes, modified, changed FROM placed WHERE path = ?", path.bytes
            ) { row in try PlacedFile(row, at: 0) }
        }
    }

    /// Records files; removes the rows of names without a file.
    package func set(_ files: [RelativePath: PlacedFile?]) throws {
        var noted: [[DatabaseValue]] = []
        var forgotten: [[DatabaseValue]] = []
        for (path, file) in files.sorted(by: { $0.key < $1.key }) {
            guard let file else {
                forgotten.append([.blob(path.bytes)])
                continue
            }
            let facts = file.facts
            let values: [any Bindable] = [
                path.bytes, file.digest?.bytes ?? Self.doubtful, facts?.inode, facts?.sizeBytes,
                facts?.modifiedNanoseconds,
                facts?.changedNanoseconds,
            ]
            noted.append(values.map(\.databaseValue))
        }
        try database.perform { connection in
            try connection.run(
                """
                INSERT INTO placed VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (path) DO UPDATE SET sha256 = excluded.sha256,
                    inode = excluded.inode, bytes = excluded.bytes, modified = excluded.modified, changed = excluded.changed
                """, rows: noted)
            try connection.run("DELETE FROM placed WHERE path = ?", rows: forgotten)
        }
    }

    /// Marks the bytes of files as uncertain: they are checked again, but the files still belong to Rawmill.
    package func doubt(_ paths: [RelativePath]) throws {
        try database.perform { connection in
            try connection.run(
                "UPDATE placed SET sha256 = ? WHERE path = ?",
                rows: paths.map { [.blob(Self.doubtful), .blob($0.bytes)] })
        }
    }

    fileprivate static let doubtful = [UInt8](repeating: 0, count: 32)

    package func each(_ body: (RelativePath, PlacedFile) throws -> Void) throws {
        try database.perform { connection in
            try connection.each(
                "SELECT path, sha256, inode, bytes, modified, changed FROM placed ORDER BY path"
            ) { row in try body(try row.path(0), try PlacedFile(row, at: 1)) }
        }
    }
}

extension PlacedFile {
    /// From digest, inode, size in bytes, time of modification, time of change.
    package init(_ row: borrowing Row, at column: Int32) throws {
        let facts =
            row.isNull(column + 1)
            ? nil
            : Facts(
                inode: UInt64(bitPattern: row.integer(column + 1)),
                sizeBytes: UInt64(bitPattern: row.integer(column + 2)),
                modifiedNanoseconds: row.integer(column + 3), changedNanoseconds: row.integer(column + 4))
        let digest = try row.digest(column)
        self.init(digest: digest.bytes == PlacedTable.doubtful ? nil : digest, facts: facts)
    }
}
