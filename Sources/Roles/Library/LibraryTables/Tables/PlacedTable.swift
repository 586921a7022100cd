internal import Database
internal import Digest
internal import Jobs
internal import Storage

/// A file that Rawmill put below `photos/`.
struct PlacedFile: Hashable, Sendable {
    /// SHA-256 of the bytes that were put there; nil where they may be others than its rendition's.
    let digest: SHA256Value?
    /// Nil where the facts are not known: then only the bytes tell.
    let facts: Facts?

    /// What tells the file from every other, and from itself after a change.
    struct Facts: Hashable, Sendable {
        let inode: UInt64
        let sizeBytes: UInt64
        let modifiedNanoseconds: Int64
        let changedNanoseconds: Int64
    }

    init(digest: SHA256Value?, facts: Facts?) {
        self.digest = digest
        self.facts = facts
    }

    init(digest: SHA256Value, _ facts: FileFacts) {
        self.init(digest: digest, facts: Facts(facts))
    }

    /// True if this is the file that was put there, and it was not written to, renamed or given other rights since.
    func matches(_ found: FileFacts) -> Bool { facts == Facts(found) }
}

extension PlacedFile.Facts {
    fileprivate init(_ facts: FileFacts) {
        self.init(
            inode: facts.id.inode, sizeBytes: facts.sizeBytes, modifiedNanoseconds: facts.modifiedNanoseconds,
            changedNanoseconds: facts.changedNanoseconds)
    }
}

/// The table `placed`: the files that Rawmill put below `photos/`, so that it knows them from those of people.
struct PlacedTable {
    private let database: LibraryDatabase

    init(_ database: LibraryDatabase) { self.database = database }

    /// What was put at the path last; nil if nothing was.
    func file(at path: RelativePath) throws -> PlacedFile? {
        try database.perform { connection in
            try connection.first(
                "SELECT sha256, inode, bytes, modified, changed FROM placed WHERE path = ?", path.bytes
            ) { row in try PlacedFile(row, at: 0) }
        }
    }

    /// Notes what was put at paths; forgets those where nothing is.
    func set(_ files: [RelativePath: PlacedFile?]) throws {
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

    /// Doubts the bytes of what was put at paths: it is looked at again, and is still what Rawmill put there.
    func doubt(_ paths: [RelativePath]) throws {
        try database.perform { connection in
            try connection.run(
                "UPDATE placed SET sha256 = ? WHERE path = ?",
                rows: paths.map { [.blob(Self.doubtful), .blob($0.bytes)] })
        }
    }

    /// Stands for a hash that is not known.
    fileprivate static let doubtful = [UInt8](repeating: 0, count: 32)

    /// Calls `body` with each file, in the order of paths.
    func each(_ body: (RelativePath, PlacedFile) throws -> Void) throws {
        try database.perform { connection in
            try connection.each(
                "SELECT path, sha256, inode, bytes, modified, changed FROM placed ORDER BY path"
            ) { row in try body(try row.path(0), try PlacedFile(row, at: 1)) }
        }
    }
}

extension PlacedFile {
    /// From the columns digest, inode, size in bytes, time of modification, time of change.
    init(_ row: borrowing Row, at column: Int32) throws {
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
