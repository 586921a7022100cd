internal import Database
internal import Digest
internal import Jobs

/// The tables `revisions` and `choices`: the history of each file below `photos/` that a person changed, and the revision that
/// the person chose last. A file is named as in the tree, at the place that its rendition names.
final class RevisionTable {
    /// What a person chose.
    struct Choice: Hashable {
        let number: Int
        let key: RenditionKey
        /// See `Job.precedence`.
        let precedence: Int64
    }

    let database: LibraryDatabase
    static let isID = "asset = ? AND frame = ? AND look = ?"

    init(_ database: LibraryDatabase) { self.database = database }

    private func number(_ id: TreeEntryID) throws -> Int64 { try database.number(of: id.asset) }

    // MARK: Reading

    /// The stored revisions of a file, in the order of numbers.
    func revisions(of id: TreeEntryID) throws -> [PhotoHistory.Revision] {
        try database.perform { connection in
            try connection.all(
                "SELECT number, key, parent FROM revisions WHERE \(Self.isID) ORDER BY number", try number(id),
                id.frame, id.variant
            ) { row in
                PhotoHistory.Revision(
                    number: Int(row.integer(0)), key: try row.key(1), parent: row.isNull(2) ? nil : Int(row.integer(2)))
            }
        }
    }

    /// What a person chose for a file; nil if nothing.
    func choice(for id: TreeEntryID) throws -> Choice? {
        try database.perform { connection in
            try connection.first(
                "SELECT number, key, precedence FROM choices WHERE \(Self.isID)", try number(id), id.frame, id.variant
            ) { row in
                Choice(number: Int(row.integer(0)), key: try row.key(1), precedence: row.integer(2))
            }
        }
    }

    /// The files of an asset in whose history a rendition is.
    func files(of asset: SHA256Value, with key: RenditionKey) throws -> [TreeEntryID] {
        try database.perform { connection in
            try connection.all(
                "SELECT DISTINCT frame, look FROM revisions WHERE asset = ? AND key = ?",
                try database.number(of: asset), key.bytes
            ) { row in TreeEntryID(asset: asset, frame: row.frame(0), variant: row.text(1)) }
        }
    }

    /// The files of an asset that have a history.
    func files(of asset: SHA256Value) throws -> [TreeEntryID] {
        try database.perform { connection in
            try connection.all(
                "SELECT DISTINCT frame, look FROM revisions WHERE asset = ?", try database.number(of: asset)
            ) {
                row in
                TreeEntryID(asset: asset, frame: row.frame(0), variant: row.text(1))
            }
        }
    }

    /// Calls `body` with each file that has a history.
    func each(_ body: (TreeEntryID) throws -> Void) throws {
        try database.perform { connection in
            try connection.each(
                "SELECT DISTINCT \(AssetNumbers.hash()), frame, look FROM revisions ORDER BY 1, frame, look"
            ) { row in
                try body(TreeEntryID(asset: try row.digest(0), frame: row.frame(1), variant: row.text(2)))
            }
        }
    }

    // MARK: Writing

    /// Stores the revisions of a file that are not stored yet.
    func store(_ history: PhotoHistory, of id: TreeEntryID) throws {
        let number = try database.giveNumber(to: id.asset)
        try database.perform { connection in
            for revision in history.revisions {
                _ = try connection.run(
                    "INSERT INTO revisions VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", number, id.frame,
                    id.variant, revision.number, revision.key.bytes, revision.parent)
            }
        }
    }

    /// Stores what a person chose, in the place of an earlier choice.
    func choose(_ choice: Choice, for id: TreeEntryID) throws {
        try database.perform { connection in
            _ = try connection.run(
                Self.choosing, try database.giveNumber(to: id.asset), id.frame, id.variant, choice.number,
                choice.key.bytes,
                choice.precedence)
        }
    }

    static let choosing = """
        INSERT INTO choices VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (asset, frame, look) DO UPDATE
        SET number = excluded.number, key = excluded.key, precedence = excluded.precedence
        """

    /// Takes a rendition out of a file's history. What was made from it counts as made from its parent.
    func remove(_ key: RenditionKey, from id: TreeEntryID) throws {
        let gone = try revisions(of: id).filter { $0.key == key }
        try database.perform { connection in
            for revision in gone {
                _ = try connection.run(
                    "UPDATE revisions SET parent = ? WHERE \(Self.isID) AND parent = ?", revision.parent,
                    try number(id), id.frame, id.variant, revision.number)
                _ = try connection.run(
                    "DELETE FROM revisions WHERE \(Self.isID) AND number = ?", try number(id), id.frame, id.variant,
                    revision.number)
            }
            _ = try connection.run(
                "DELETE FROM choices WHERE \(Self.isID) AND key = ?", try number(id), id.frame, id.variant, key.bytes)
        }
    }

    /// Gives a file another variant. A history that another file left under that name is forgotten.
    func rename(_ id: TreeEntryID, to renamed: TreeEntryID) throws {
        try removeAll(of: renamed)
        try database.perform { connection in
            for table in ["revisions", "choices"] {
                _ = try connection.run(
                    "UPDATE \(table) SET look = ? WHERE \(Self.isID)", renamed.variant, try number(id), id.frame,
                    id.variant)
            }
        }
    }

    /// Forgets a file.
    func removeAll(of id: TreeEntryID) throws {
        try database.perform { connection in
            for table in ["revisions", "choices"] {
                _ = try connection.run(
                    "DELETE FROM \(table) WHERE \(Self.isID)", try number(id), id.frame, id.variant)
            }
        }
    }
}
