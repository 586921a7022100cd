internal import Database
internal import Storage

/// Sorts the listings of folders in a temporary database, so that memory stays bounded for folders of any size.
///
/// All open listings share one table and one page cache. SQLite keeps the excess in an unnamed file in `$TMPDIR` or
/// `/var/tmp`, and its sorter is an external merge sort. Measured on two busy cores with empty RAW files, including the
/// walk's two system calls per file:
///
/// | files in a folder | processor time | peak memory |
/// |---|---|---|
/// | 10,000 | 0.05 s | 13 MB |
/// | 100,000 | 0.52 s | 16 MB |
/// | 1,000,000 | 4.9 s | 16 MB |
///
/// Inserting directly into the sorted table took 7.3 s for a million files, because each entry dirties another page.
final class ListingDatabase {
    private let connection: Connection
    private var lastListing: Int64 = 0

    /// - Parameters:
    ///   - cacheBytes: memory for all listings together.
    ///   - maxPages: limits the database, for tests of a full disk.
    init(cacheBytes: Int = 2 << 20, maxPages: Int? = nil) throws(WalkError) {
        do throws(DatabaseError) {
            connection = try Connection(path: "", mode: .temporary)
            try connection.script("PRAGMA cache_size = -\(max(cacheBytes >> 10, 1))")
            if let maxPages { try connection.script("PRAGMA max_page_count = \(maxPages)") }
            try connection.script(Self.tables)
        } catch {
            throw WalkError(error)
        }
    }

    /// `entries` holds each listing's entries together and sorted; `unsorted` holds those of the folder being listed.
    private static let tables = """
        CREATE TABLE entries(
            listing INTEGER NOT NULL,
            key BLOB NOT NULL,
            kind INTEGER NOT NULL,
            PRIMARY KEY(listing, key)) WITHOUT ROWID;
        CREATE TABLE unsorted(key BLOB NOT NULL, kind INTEGER NOT NULL);
        """

    /// Sorts a folder's entries, which `next` returns in any order. Returns the error that `next` ended with, if any;
    /// entries before it are listed.
    func sort(
        _ next: () throws(StorageError) -> FolderEntry?
    ) throws(WalkError) -> (listing: FolderListing, failure: StorageError?) {
        lastListing += 1
        let listing = FolderListing(connection, number: lastListing)
        var failure: StorageError?
        do {
            try connection.transaction {
                while let entry = Self.nextEntry(next, &failure) {
                    try connection.run(
                        "INSERT INTO unsorted VALUES (?, ?)", FolderListing.key(of: entry.name), entry.kind.rawValue)
                }
                // A name that the folder returned twice, because it changed meanwhile, is listed once.
                try connection.run(
                    "INSERT OR IGNORE INTO entries SELECT ?, key, kind FROM unsorted ORDER BY key", lastListing)
                try connection.run("DELETE FROM unsorted")
            }
        } catch {
            throw WalkError(error)
        }
        return (listing, failure)
    }

    private static func nextEntry(
        _ next: () throws(StorageError) -> FolderEntry?, _ failure: inout StorageError?
    ) -> FolderEntry? {
        do throws(StorageError) { return try next() } catch {
            failure = error
            return nil
        }
    }
}

/// The entries of one folder by family name, then by name, as bytes. Read once from the beginning.
final class FolderListing {
    private let connection: Connection
    private let number: Int64
    private var page: ArraySlice<Row> = []
    /// Key of the last row of the page; keys are greater than the empty one.
    private var lastKey: [UInt8] = []

    private struct Row {
        let key: [UInt8]
        let kind: FileFacts.Kind

        var family: ArraySlice<UInt8> { key.prefix { $0 != 0 } }

        var entry: FolderEntry { FolderEntry(name: key.filter { $0 != 0 }, kind: kind) }
    }

    private static let pageRows = 128

    fileprivate init(_ connection: Connection, number: Int64) {
        self.connection = connection
        self.number = number
    }

    /// Remaining rows only take up space, so a failure is ignored.
    deinit { _ = try? connection.run("DELETE FROM entries WHERE listing = ?", number) }

    /// The family name, a zero and the rest of the name. Names contain no zero, so keys sort by family name first.
    fileprivate static func key(of name: [UInt8]) -> [UInt8] {
        let familyLength = FamilyName.length(of: name)
        return name[..<familyLength] + [0] + name[familyLength...]
    }

    /// The entries with the next family name; nil at the end.
    func nextFamily() throws(WalkError) -> [FolderEntry]? {
        guard let leader = try nextRow() else { return nil }
        var entries: [FolderEntry] = []
        while let row = try nextRow(), row.family == leader.family {
            entries.append(row.entry)
            page.removeFirst()
        }
        return entries
    }

    /// The next row. It stays the next one until it is removed from the page.
    private func nextRow() throws(WalkError) -> Row? {
        if page.isEmpty {
            do {
                page = try connection.all(
                    """
                    SELECT key, kind FROM entries WHERE listing = ? AND key > ? ORDER BY key LIMIT \(Self.pageRows)
                    """, number, lastKey
                ) { row in
                    Row(key: row.blob(0), kind: FileFacts.Kind(rawValue: Int(row.integer(1))) ?? .unknown)
                }[...]
            } catch {
                throw WalkError(error)
            }
            if let last = page.last { lastKey = last.key }
        }
        return page.first
    }
}
