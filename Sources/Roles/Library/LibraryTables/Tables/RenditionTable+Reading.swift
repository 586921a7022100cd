internal import Database
internal import Digest
internal import Jobs
internal import Manifests

/// What is in the tables of renditions and recipes.
extension RenditionTable {
    /// The rendition; nil if there is none.
    func record(_ id: RenditionID) throws -> RenditionRecord? {
        let number = try database.number(of: id.asset)
        return try database.perform { connection in
            try connection.first(
                "SELECT \(RenditionColumns.list) FROM \(RenditionColumns.source) WHERE r.asset = ? AND r.key = ?",
                number, id.key.bytes
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

    /// The rendition's summary; nil if there is none.
    func summary(_ id: RenditionID) throws -> Summary? { try summaries([id])[id.key] }

    /// When the rendition was finished; nil unless there is a row with its key and its photo's bytes.
    func finished(_ record: RenditionRecord) throws -> Int64? {
        let number = try database.number(of: record.asset)
        return try database.perform { connection in
            try connection.first(
                "SELECT finished FROM renditions WHERE \(Self.isID) AND photo_sha256 = ?", number, record.key.bytes,
                record.photo.digest.bytes
            ) { $0.integer(0) }
        }
    }

    /// True if the rendition is shown only where a person chose it.
    func isHeld(_ id: RenditionID) throws -> Bool { try summary(id)?.isHeld ?? false }

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

    /// So many of the RAWs in a root that renditions were made from, or all if there are fewer, at random. Goes through the whole
    /// table.
    func sampleOfOriginals(in root: RootName, count: Int) throws -> [FileStamp] {
        try database.perform { connection in
            try connection.all(
                """
                SELECT original_root, original_path, original_bytes, original_modified FROM renditions
                WHERE original_root = ? ORDER BY random() LIMIT ?
                """, root.text, count
            ) { row in try row.stamp(0) }
        }
    }

    /// Assets in the order of their hashes, those after `asset`; empty at the end.
    func assets(after asset: SHA256Value?, limit: Int) throws -> [SHA256Value] {
        try database.perform { connection in
            try connection.all(
                "SELECT a.hash FROM asset_numbers a WHERE a.hash > ? AND \(Self.hasRendition) ORDER BY a.hash LIMIT ?",
                asset?.bytes ?? [], limit
            ) { try $0.digest(0) }
        }
    }

    /// Assets, at most ten, whose own hash or one of whose keys begins with these hexadecimal digits.
    func assets(beginning digits: String) throws -> [SHA256Value] {
        let missing = 64 - digits.utf8.count
        if missing == 0, let digest = SHA256Value(hex: digits), case let found = try find([digest]), !found.isEmpty {
            return Set(found.map(\.asset)).sorted()
        }
        guard missing >= 0, let min = SHA256Value(hex: digits + String(repeating: "0", count: missing)),
            let max = SHA256Value(hex: digits + String(repeating: "f", count: missing))
        else { return [] }
        let queries = [
            "SELECT a.hash FROM asset_numbers a WHERE a.hash BETWEEN ? AND ? AND \(Self.hasRendition) ORDER BY a.hash LIMIT 10",
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

    func contains(_ id: RenditionID) throws -> Bool { try !contained([id]).isEmpty }

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
