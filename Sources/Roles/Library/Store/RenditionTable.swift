internal import Database
internal import Digest
internal import Jobs
internal import Manifests
internal import PictureFormat

/// The tables `renditions` and `recipes`: one row for each rendition, and one for each recipe that they share.
final class RenditionTable {
    let database: LibraryDatabase
    /// Recipes known to have a row, because most renditions of a run share one.
    private var knownRecipes: Set<SHA256Value> = []
    /// The database's rollback count when `knownRecipes` was filled: a rollback may have removed their rows.
    private var rollbackCount = 0

    init(_ database: LibraryDatabase) { self.database = database }

    // MARK: Writing

    /// Adds the rendition; with `replacing`, in the place of the row with its key.
    ///
    /// - Parameters:
    ///   - finished: the precedence of its order; 0 if only an edit asked for it.
    ///   - isHeld: it is shown only where a person chose it.
    func insert(
        _ record: RenditionRecord, finished: Int64, isHeld: Bool = false, replacing: Bool = false
    ) throws {
        try insert(record.recipe)
        let number = try database.giveNumber(to: record.asset)
        try database.perform { connection in
            if replacing {
                try connection.run("DELETE FROM renditions WHERE key = ?", record.key.bytes)
                try connection.run("DELETE FROM keywords WHERE key = ?", record.key.bytes)
            }
            try connection.run(
                Self.insertion, values: Self.values(record, number, finished: finished, isHeld: isHeld))
            try connection.run(Self.insertionOfKeyword, rows: Self.keywords(record))
        }
    }

    static let insertionOfKeyword = "INSERT INTO keywords VALUES (?, ?) ON CONFLICT DO NOTHING"

    /// The rows by which a rendition is found.
    static func keywords(_ record: RenditionRecord) -> [[DatabaseValue]] {
        (record.keywords?.words ?? []).map { [.blob(record.key.bytes), .text($0)] }
    }

    static let insertion = """
        INSERT INTO renditions VALUES
            (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    static func values(
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
            companion?.file.modifiedNanoseconds, companion?.digest?.bytes,
            record.degraded, record.captured, record.make, record.model, record.photoBase, finished, record.lens,
            isHeld, record.rating, record.keywords?.text,
        ]
        return values.map(\.databaseValue)
    }

    /// Of two recipes with one identity the first stays. They differ only if another program wrote the second.
    func insert(_ recipe: RecipeRecord) throws {
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

    /// Removes a rendition's row, and its recipe's if no other has it.
    func remove(_ record: RenditionRecord) throws {
        knownRecipes.remove(record.recipe.id)
        let recipe = record.recipe.id.bytes
        try database.perform { connection in
            _ = try connection.run("DELETE FROM renditions WHERE key = ?", record.key.bytes)
            _ = try connection.run("DELETE FROM keywords WHERE key = ?", record.key.bytes)
            _ = try connection.run(
                "DELETE FROM recipes WHERE recipe = ? AND NOT EXISTS (SELECT 1 FROM renditions WHERE recipe = ?)",
                recipe,
                recipe)
        }
    }

    /// Sets what people wrote about a photo, unless its bytes are others by now.
    ///
    /// - Returns: whether it was set.
    func setWords(_ rating: Int, _ keywords: Keywords, of record: RenditionRecord) throws -> Bool {
        try database.perform { connection in
            let count = try connection.run(
                "UPDATE renditions SET rating = ?, keywords = ? WHERE key = ? AND photo_sha256 = ?", rating,
                keywords.text, record.key.bytes, record.photo.digest.bytes)
            guard count > 0 else { return false }
            try connection.run("DELETE FROM keywords WHERE key = ?", record.key.bytes)
            try connection.run(
                Self.insertionOfKeyword, rows: keywords.words.map { [.blob(record.key.bytes), .text($0)] })
            return true
        }
    }

    /// Holds a rendition until a newer order asks for it.
    func hold(_ key: RenditionKey) throws {
        try database.perform { _ = try $0.run("UPDATE renditions SET held = 1 WHERE key = ?", key.bytes) }
    }

    /// Sets the precedence of the rendition's order, which is that of a person who wants to see it.
    func setFinished(_ finished: Int64, of key: RenditionKey) throws {
        try database.perform { connection in
            _ = try connection.run("UPDATE renditions SET finished = ?, held = 0 WHERE key = ?", finished, key.bytes)
        }
    }

    /// Locates the RAW of a rendition at another path at which it was seen.
    func setOriginal(_ sighting: Sighting, of key: RenditionKey) throws {
        let raw = sighting.raw
        try database.perform { connection in
            _ = try connection.run(
                """
                UPDATE renditions SET original_root = ?, original_path = ?, original_bytes = ?, original_modified = ?,
                    photo_base = ? WHERE key = ?
                """, raw.file.root.text, raw.file.path.bytes, raw.sizeBytes, raw.modifiedNanoseconds,
                sighting.photoBase, key.bytes)
        }
    }

    // MARK: Reading

    /// The rendition with this key.
    func record(_ key: RenditionKey) throws -> RenditionRecord? {
        try database.perform { connection in
            try connection.first(
                "SELECT \(RenditionColumns.list) FROM \(RenditionColumns.source) WHERE r.key = ?", key.bytes
            ) { row in try RenditionRecord(row) }
        }
    }

    /// All renditions of an asset, ordered by frame.
    func records(of asset: SHA256Value) throws -> [RenditionRecord] {
        let number = try database.number(of: asset)
        return try database.perform { connection in
            try connection.all(
                "SELECT \(RenditionColumns.list) FROM \(RenditionColumns.source) WHERE r.asset = ? ORDER BY r.frame",
                number
            ) { row in try RenditionRecord(row) }
        }
    }

    /// The renditions of a frame that are not held, and the precedence of each, the oldest first.
    func ordered(of asset: SHA256Value, frame: UInt32) throws -> [(record: RenditionRecord, finished: Int64)] {
        let number = try database.number(of: asset)
        return try database.perform { connection in
            try connection.all(
                """
                SELECT \(RenditionColumns.list), r.finished FROM \(RenditionColumns.source)
                WHERE r.asset = ? AND r.frame = ? AND r.held = 0 ORDER BY r.finished, r.key
                """, number, frame
            ) { row in (try RenditionRecord(row), row.integer(RenditionColumns.count)) }
        }
    }

    /// Calls `body` with every rendition that is not held and when it was finished: look after look of each asset's frames,
    /// and the renditions of one look from the oldest to the newest.
    func eachByLook(_ body: (RenditionRecord, _ finished: Int64) throws -> Void) throws {
        try database.perform { connection in
            try connection.each(
                """
                SELECT \(RenditionColumns.list), r.finished FROM \(RenditionColumns.source)
                WHERE r.held = 0 ORDER BY a.hash, r.frame, p.look, r.finished, r.key
                """
            ) { row in try body(try RenditionRecord(row), row.integer(RenditionColumns.count)) }
        }
    }

    /// What a merge compares: the hashes of a rendition's files, and when it was finished.
    struct Summary {
        /// Empty if the row is damaged.
        let photoDigest: [UInt8]
        /// Empty if the preview is lost.
        let previewDigest: [UInt8]
        /// The precedence of its order.
        let finished: Int64
        /// True if it is shown only where a person chose it.
        let isHeld: Bool
    }

    /// The summary of the rendition with this key.
    func summary(_ key: RenditionKey) throws -> Summary? {
        try database.perform { connection in
            try connection.first(
                "SELECT photo_sha256, preview_sha256, finished, held FROM renditions WHERE key = ?", key.bytes
            ) { row in
                Summary(
                    photoDigest: row.blob(0), previewDigest: row.blob(1), finished: row.integer(2),
                    isHeld: row.integer(3) != 0)
            }
        }
    }

    /// When the rendition was finished; nil unless there is a row with its key and its photo's bytes.
    func finished(_ record: RenditionRecord) throws -> Int64? {
        try database.perform { connection in
            try connection.first(
                "SELECT finished FROM renditions WHERE key = ? AND photo_sha256 = ?", record.key.bytes,
                record.photo.digest.bytes
            ) { $0.integer(0) }
        }
    }

    /// True if the rendition is shown only where a person chose it.
    func isHeld(_ key: RenditionKey) throws -> Bool {
        try database.hasRow("SELECT 1 FROM renditions WHERE key = ? AND held = 1", key.bytes)
    }

    /// The highest precedence of all renditions; 0 without any.
    func highestPrecedence() throws -> Int64 {
        try database.perform { try $0.first("SELECT max(finished) FROM renditions") { $0.integer(0) } ?? 0 }
    }

    /// The RAW of the asset's newest rendition; nil without renditions.
    func newestOriginal(of asset: SHA256Value) throws -> FileStamp? {
        let number = try database.number(of: asset)
        return try database.perform { connection in
            try connection.first(
                """
                SELECT original_root, original_path, original_bytes, original_modified FROM renditions
                WHERE asset = ? ORDER BY finished DESC, key DESC LIMIT 1
                """, number
            ) { row in try row.stamp(0) }
        }
    }

    /// True if a rendition of another asset was made from the file at this path: the RAW was replaced.
    func hasOther(than asset: SHA256Value, from file: FileReference) throws -> Bool {
        let number = try database.number(of: asset)
        return try database.perform { connection in
            try connection.first(
                "SELECT 1 FROM renditions WHERE original_path = ? AND original_root = ? AND asset <> ? LIMIT 1",
                file.path.bytes, file.root.text, number
            ) { _ in true } ?? false
        }
    }

    /// The cameras' JPEGs that the asset's renditions name, with their hashes.
    func companions(of asset: SHA256Value) throws -> [(stamp: FileStamp, digest: SHA256Value?)] {
        let number = try database.number(of: asset)
        return try database.perform { connection in
            try connection.all(
                """
                SELECT DISTINCT companion_root, companion_path, companion_bytes, companion_modified, companion_sha256
                FROM renditions WHERE asset = ? AND companion_path IS NOT NULL
                """, number
            ) { row in (try row.stamp(0), row.isNull(4) ? nil : try row.digest(4)) }
        }
    }

    /// Every location and state of the RAW that the asset's renditions were made from.
    func originals(of asset: SHA256Value) throws -> [FileStamp] {
        let number = try database.number(of: asset)
        return try database.perform { connection in
            try connection.all(
                """
                SELECT DISTINCT original_root, original_path, original_bytes, original_modified FROM renditions
                WHERE asset = ? ORDER BY original_root, original_path
                """, number
            ) { row in try row.stamp(0) }
        }
    }

    /// Assets in the order of their hashes, those after `asset`; empty at the end.
    func assets(after asset: SHA256Value?, limit: Int) throws -> [SHA256Value] {
        try database.perform { connection in
            try connection.all(
                "SELECT a.hash FROM assets a WHERE a.hash > ? AND \(Self.hasRendition) ORDER BY a.hash LIMIT ?",
                asset?.bytes ?? [], limit
            ) { try $0.digest(0) }
        }
    }

    /// Assets, at most ten, whose own hash or one of whose keys begins with these hexadecimal digits.
    func assets(beginning digits: String) throws -> [SHA256Value] {
        let missing = 64 - digits.utf8.count
        guard missing >= 0, let min = SHA256Value(hex: digits + String(repeating: "0", count: missing)),
            let max = SHA256Value(hex: digits + String(repeating: "f", count: missing))
        else { return [] }
        let queries = [
            "SELECT a.hash FROM assets a WHERE a.hash BETWEEN ? AND ? AND \(Self.hasRendition) ORDER BY a.hash LIMIT 10",
            "SELECT DISTINCT \(AssetNumbers.hash()) FROM renditions WHERE key BETWEEN ? AND ? ORDER BY 1 LIMIT 10",
        ]
        for query in queries {
            let assets = try database.perform { connection in
                try connection.all(
                    query,
                    // A key may have a byte more.
                    min.bytes, max.bytes + [0xFF]
                ) { try $0.digest(0) }
            }
            if !assets.isEmpty { return assets }
        }
        return []
    }

    /// An asset keeps its number when its last rendition is removed.
    private static let hasRendition = "EXISTS (SELECT 1 FROM renditions r WHERE r.asset = a.id)"

    func contains(_ key: RenditionKey) throws -> Bool {
        try database.hasRow("SELECT 1 FROM renditions WHERE key = ?", key.bytes)
    }

    /// True if any rendition has the recipe.
    func contains(recipe: SHA256Value) throws -> Bool {
        try database.hasRow("SELECT 1 FROM renditions WHERE recipe = ? LIMIT 1", recipe.bytes)
    }

    /// The recipe of a digest.
    func recipe(_ digest: SHA256Value) throws -> RecipeRecord? {
        try database.perform { connection in
            try connection.first(
                "SELECT look, look_version, format_identifier, format_version, data FROM recipes WHERE recipe = ?",
                digest.bytes
            ) { row in
                RecipeRecord(
                    id: digest, look: row.text(0), lookVersion: UInt32(truncatingIfNeeded: row.integer(1)),
                    adjustment: Adjustment(
                        formatIdentifier: row.text(2), formatVersion: row.text(3), data: row.text(4)))
            }
        }
    }

    /// True if a rendition of the asset has these bytes.
    func contains(photo digest: SHA256Value, of asset: SHA256Value) throws -> Bool {
        try database.hasRow(
            "SELECT 1 FROM renditions WHERE asset = ? AND photo_sha256 = ?", database.number(of: asset), digest.bytes)
    }

    /// The RAWs that any frame of the asset was rendered from with the recipe.
    func originals(of asset: SHA256Value, recipe: SHA256Value) throws -> [FileStamp] {
        let number = try database.number(of: asset)
        return try database.perform { connection in
            try connection.all(
                """
                SELECT original_root, original_path, original_bytes, original_modified FROM renditions
                WHERE asset = ? AND recipe = ?
                """, number, recipe.bytes
            ) { row in try row.stamp(0) }
        }
    }
}
