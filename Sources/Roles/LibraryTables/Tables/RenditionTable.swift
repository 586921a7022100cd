package import Database
internal import Digest
internal import Jobs
package import Manifests
internal import PictureFormat

/// The tables `renditions` and `recipes`: a row for each rendition, and one for each recipe.
package final class RenditionTable {
    package let database: LibraryDatabase
    package let finder: RenditionFinder
    /// The database's state when this table last read all keys.
    var stateOfKeys: String?
    static let isID = "asset = ? AND key = ?"
    /// Recipes known to have a row, because most renditions of a run share one.
    private var knownRecipes: Set<SHA256Value> = []
    /// The database's rollback count when `knownRecipes` was filled: a rollback may have removed rows.
    private var rollbackCount = 0

    package init(_ database: LibraryDatabase, finder: RenditionFinder = RenditionFinder()) {
        self.database = database
        self.finder = finder
    }

    /// Adds the rendition; with `replacing`, replaces the row with its key.
    ///
    /// - Parameters:
    ///   - finished: the precedence of its order; 0 if only an edit asked for it.
    ///   - isHeld: shows it only where a user chose it.
    package func insert(
        _ record: RenditionRecord, finished: Int64, isHeld: Bool = false, replacing: Bool = false
    ) throws {
        try insert(record.recipe)
        let number = try database.giveNumber(to: record.asset)
        try database.perform { connection in
            if replacing {
                try connection.run("DELETE FROM renditions WHERE \(Self.isID)", number, record.key.bytes)
                try connection.run("DELETE FROM keywords WHERE \(Self.isID)", number, record.key.bytes)
            }
            try connection.run(
                Self.insertion, values: Self.values(record, number, finished: finished, isHeld: isHeld))
            try connection.run(Self.insertionOfKeyword, rows: Self.keywords(record, number))
        }
    }

    static let insertionOfKeyword = "INSERT INTO keywords VALUES (?, ?, ?) ON CONFLICT DO NOTHING"

    static func keywords(_ record: RenditionRecord, _ asset: Int64) -> [[DatabaseValue]] {
        (record.keywords?.words ?? []).map { [.integer(asset), .blob(record.key.bytes), .text($0)] }
    }

    private static let columns =
        """
        key, asset, frame, recipe, engine, photo_sha256, photo_bytes, photo_width, photo_height,
        preview_sha256, preview_bytes, preview_width, preview_height,
        original_root, original_path, original_bytes, original_modified,
        companion_root, companion_path, companion_bytes, companion_modified, companion_sha256,
        photo_base, finished, held
        """.split(separator: ",").map { String($0.trimmingPrefix(while: \.isWhitespace)) } + FactColumns.names

    static let insertion = """
        INSERT INTO renditions (\(columns.joined(separator: ", ")))
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        """

    package static func values(
        _ record: RenditionRecord, _ asset: Int64, finished: Int64, isHeld: Bool
    ) -> [DatabaseValue] {
        let (photo, preview, original) = (record.photo, record.preview, record.original)
        let companion = record.companion
        let values: [any Bindable] = [
            record.key.bytes, asset, record.frame, record.recipe.id.bytes, record.engine,
            photo.digest.bytes, photo.sizeBytes, photo.size?.width, photo.size?.height,
            preview?.digest.bytes, preview?.sizeBytes, preview?.size?.width, preview?.size?.height,
            original.file.root.text, original.file.path.bytes, original.sizeBytes, original.modifiedNanoseconds,
            companion?.file.file.root.text, companion?.file.file.path.bytes, companion?.file.sizeBytes,
            companion?.file.modifiedNanoseconds, companion?.digest?.bytes, record.photoBase, finished, isHeld,
        ]
        return values.map(\.databaseValue) + record.facts.values()
    }

    /// Keeps the first of two recipes with one identity. They differ only if another program wrote the second.
    package func insert(_ recipe: RecipeRecord) throws {
        if rollbackCount != database.rollbackCount {
            rollbackCount = database.rollbackCount
            knownRecipes.removeAll()
        }
        guard knownRecipes.insert(recipe.id).inserted else { return }
        try database.perform { connection in
            _ = try connection.run(
                "INSERT INTO recipes VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", recipe.id.bytes, recipe.look,
                recipe.lookVersion, recipe.adjustment.formatIdentifier, recipe.adjustment.formatVersion,
                recipe.adjustment.data)
        }
    }

    /// Removes a rendition's row, and its recipe's if that is unused.
    package func remove(_ record: RenditionRecord) throws {
        knownRecipes.remove(record.recipe.id)
        let recipe = record.recipe.id.bytes
        let number = try database.number(of: record.asset)
        try database.perform { connection in
            _ = try connection.run("DELETE FROM renditions WHERE \(Self.isID)", number, record.key.bytes)
            _ = try connection.run("DELETE FROM keywords WHERE \(Self.isID)", number, record.key.bytes)
            _ = try connection.run(
                "DELETE FROM recipes WHERE recipe = ? AND NOT EXISTS (SELECT 1 FROM renditions WHERE recipe = ?)",
                recipe,
                recipe)
        }
    }

    /// Sets facts that rows of earlier versions lack, unless the file's bytes changed. Returns true if they were set.
    package func complete(_ facts: PhotoFacts, of record: RenditionRecord) throws -> Bool {
        let set = PhotoFact.all.filter { $0.origin != .identity }
        let number = try database.number(of: record.asset)
        return try database.perform { connection in
            let count = try connection.run(
                """
                UPDATE renditions SET \(set.map { "\($0.column) = ?" }.joined(separator: ", "))
                WHERE \(Self.isID) AND photo_sha256 = ?
                """,
                values: facts.values(of: set) + [
                    .integer(number), .blob(record.key.bytes), .blob(record.photo.digest.bytes),
                ])
            guard count > 0 else { return false }
            try connection.run("DELETE FROM keywords WHERE \(Self.isID)", number, record.key.bytes)
            try connection.run(
                Self.insertionOfKeyword,
                rows: (facts.keywords?.words ?? []).map { [.integer(number), .blob(record.key.bytes), .text($0)] })
            return true
        }
    }

    package func hold(_ id: RenditionID) throws { try hold([id]) }

    /// Sets the precedence of the rendition's order, which shows it.
    package func setFinished(_ finished: Int64, of id: RenditionID) throws {
        try database.perform { connection in
            _ = try connection.run(
                "UPDATE renditions SET finished = ?, held = 0 WHERE \(Self.isID)", finished,
                try database.number(of: id.asset), id.key.bytes)
        }
    }

    /// Locates a rendition's RAW at another path where it was seen.
    package func setOriginal(_ sighting: Sighting, of id: RenditionID) throws {
        let raw = sighting.raw
        try database.perform { connection in
            _ = try connection.run(
                """
                UPDATE renditions SET original_root = ?, original_path = ?, original_bytes = ?, original_modified = ?,
                    photo_base = ? WHERE \(Self.isID)
                """, raw.file.root.text, raw.file.path.bytes, raw.sizeBytes, raw.modifiedNanoseconds,
                sighting.photoBase, try database.number(of: id.asset), id.key.bytes)
        }
    }
}
