internal import Database
package import Digest
package import Jobs

/// The tables `revisions` and `choices`: the history of each file in `photos/` that a user changed, and the revision
/// chosen last. Files have the identifiers of the tree at their rendition's own path.
package final class RevisionTable {
    package struct Choice: Hashable {
        package let number: Int
        package let key: RenditionKey
        package let precedence: Int64

        package init(number: Int, key: RenditionKey, precedence: Int64) {
            self.number = number
            self.key = key
            self.precedence = precedence
        }
    }

    package let database: LibraryDatabase
    static let isID = "asset = ? AND frame = ? AND look = ?"

    init(_ database: LibraryDatabase) { self.database = database }

    private func number(_ id: TreeEntryID) throws -> Int64 { try database.number(of: id.asset) }

    // MARK: Reading

    package func revisions(of id: TreeEntryID) throws -> [PhotoHistory.Revision] {
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

    package func choice(for id: TreeEntryID) throws -> Choice? {
        try database.perform { connection in
            try connection.first(
                "SELECT number, key, precedence FROM choices WHERE \(Self.isID)", try number(id), id.frame, id.variant
            ) { row in
                Choice(number: Int(row.integer(0)), key: try row.key(1), precedence: row.integer(2))
            }
        }
    }

    package func files(of asset: SHA256Value, with key: RenditionKey) throws -> [TreeEntryID] {
        try database.perform { connection in
            try connection.all(
                "SELECT DISTINCT frame, look FROM revisions WHERE asset = ? AND key = ?",
                try database.number(of: asset), key.bytes
            ) { row in TreeEntryID(asset: asset, frame: row.frame(0), variant: row.text(1)) }
        }
    }

    package func files(of asset: SHA256Value) throws -> [TreeEntryID] {
        try database.perform { connection in
            try connection.all(
                "SELECT DISTINCT frame, look FROM revisions WHERE asset = ?", try database.number(of: asset)
            ) {
                row in
                TreeEntryID(asset: asset, frame: row.frame(0), variant: row.text(1))
            }
        }
    }

    package func each(_ body: (TreeEntryID) throws -> Void) throws {
        try database.perform { connection in
            try connection.each(
                "SELECT DISTINCT \(AssetNumbers.hash()), frame, look FROM revisions ORDER BY 1, frame, look"
            ) { row in
                try body(TreeEntryID(asset: try row.digest(0), frame: row.frame(1), variant: row.text(2)))
            }
        }
    }

    // MARK: Writing

    package func store(_ history: PhotoHistory, of id: TreeEntryID) throws {
        let number = try database.giveNumber(to: id.asset)
        try database.perform { connection in
            for revision in history.revisions {
                _ = try connection.run(
                    "INSERT INTO revisions VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", number, id.frame,
                    id.variant, revision.number, revision.key.bytes, revision.parent)
            }
        }
    }

    package func choose(_ choice: Choice, for id: TreeEntryID) throws {
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

    /// Removes a rendition from a file's history. Revisions made from it get its parent.
    package func remove(_ key: RenditionKey, from id: TreeEntryID) throws {
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

    /// Gives a file another variant, and discards a history that another file left there.
    package func rename(_ id: TreeEntryID, to renamed: TreeEntryID) throws {
        try removeAll(of: renamed)
        try database.perform { connection in
            for table in ["revisions", "choices"] {
                _ = try connection.run(
                    "UPDATE \(table) SET look = ? WHERE \(Self.isID)", renamed.variant, try number(id), id.frame,
                    id.variant)
            }
        }
    }

    package func removeAll(of id: TreeEntryID) throws {
        try database.perform { connection in
            for table in ["revisions", "choices"] {
                _ = try connection.run(
                    "DELETE FROM \(table) WHERE \(Self.isID)", try number(id), id.frame, id.variant)
            }
        }
    }
}
