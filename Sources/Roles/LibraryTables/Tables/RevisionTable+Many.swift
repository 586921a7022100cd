internal import Database
package import Digest
internal import Jobs

// Queries and changes of many photos at once.

extension RevisionTable {
    package struct Stored {
        package var revisions: [TreeEntryID: [PhotoHistory.Revision]] = [:]
        package var choices: [TreeEntryID: Choice] = [:]

        package init(revisions: [TreeEntryID: [PhotoHistory.Revision]] = [:], choices: [TreeEntryID: Choice] = [:]) {
            self.revisions = revisions
            self.choices = choices
        }

        /// True if no other photo has stored revisions.
        package func isOnly(of id: TreeEntryID) -> Bool {
            revisions.keys.allSatisfy { $0 == id } && choices.keys.allSatisfy { $0 == id }
        }
    }

    package func stored(of assets: [SHA256Value]) throws -> [SHA256Value: Stored] {
        var stored: [SHA256Value: Stored] = [:]
        let keys = try database.numbers(of: assets).values.sorted().map { [DatabaseValue.integer($0)] }
        try database.perform { connection in
            try connection.each(
                "SELECT \(AssetNumbers.hash()), frame, look, number, key, parent FROM revisions WHERE asset = ?",
                keys: keys
            ) { row in
                let id = TreeEntryID(asset: try row.digest(0), frame: row.frame(1), variant: row.text(2))
                stored[id.asset, default: Stored()].revisions[id, default: []].append(
                    PhotoHistory.Revision(
                        number: Int(row.integer(3)), key: try row.key(4),
                        parent: row.isNull(5) ? nil : Int(row.integer(5))))
            }
            try connection.each(
                "SELECT \(AssetNumbers.hash()), frame, look, number, key, precedence FROM choices WHERE asset = ?",
                keys: keys
            ) { row in
                let id = TreeEntryID(asset: try row.digest(0), frame: row.frame(1), variant: row.text(2))
                stored[id.asset, default: Stored()].choices[id] = Choice(
                    number: Int(row.integer(3)), key: try row.key(4), precedence: row.integer(5))
            }
        }
        return stored.mapValues { found in
            var found = found
            found.revisions = found.revisions.mapValues { $0.sorted { $0.number < $1.number } }
            return found
        }
    }

    /// Gives files other variants, under which no file has a history yet.
    package func rename(_ files: [(id: TreeEntryID, variant: String)]) throws {
        let numbers = try database.numbers(of: files.map(\.id.asset))
        let rows: [[DatabaseValue]] = files.map { id, variant in
            [.text(variant), .integer(numbers[id.asset] ?? 0), .integer(Int64(id.frame)), .text(id.variant)]
        }
        for table in ["revisions", "choices"] {
            try database.perform { try $0.run("UPDATE \(table) SET look = ? WHERE \(Self.isID)", rows: rows) }
        }
    }

    package func insert(_ revisions: [(id: TreeEntryID, revision: PhotoHistory.Revision)]) throws {
        let numbers = try database.giveNumbers(to: revisions.map(\.id.asset))
        let rows: [[DatabaseValue]] = revisions.map { id, revision in
            [
                .integer(numbers[id.asset] ?? 0), .integer(Int64(id.frame)), .text(id.variant),
                .integer(Int64(revision.number)), .blob(revision.key.bytes), revision.parent.databaseValue,
            ]
        }
        try database.perform { try $0.run("INSERT INTO revisions VALUES (?, ?, ?, ?, ?, ?)", rows: rows) }
    }

    package func choose(_ choices: [(id: TreeEntryID, choice: Choice)]) throws {
        let numbers = try database.giveNumbers(to: choices.map(\.id.asset))
        let rows: [[DatabaseValue]] = choices.map { id, choice in
            [
                .integer(numbers[id.asset] ?? 0), .integer(Int64(id.frame)), .text(id.variant),
                .integer(Int64(choice.number)), .blob(choice.key.bytes), .integer(choice.precedence),
            ]
        }
        try database.perform { try $0.run(Self.choosing, rows: rows) }
    }
}
