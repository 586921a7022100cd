internal import Database
package import Digest
package import Jobs
internal import Manifests

extension RenditionTable {
    package func record(_ id: RenditionID) throws -> RenditionRecord? {
        let number = try database.number(of: id.asset)
        return try database.perform { connection in
            try connection.first(
                "SELECT \(RenditionColumns.list) FROM \(RenditionColumns.source) WHERE r.asset = ? AND r.key = ?",
                number, id.key.bytes
            ) { row in try RenditionRecord(row) }
        }
    }

    /// All renditions of an asset, ordered by frame.
    package func records(of asset: SHA256Value) throws -> [RenditionRecord] {
        let number = try database.number(of: asset)
        return try database.perform { connection in
            try connection.all(
                "SELECT \(RenditionColumns.list) FROM \(RenditionColumns.source) WHERE r.asset = ? ORDER BY r.frame",
                number
            ) { row in try RenditionRecord(row) }
        }
    }

    /// The renditions of a frame that are not held, with their precedence, the oldest first.
    package func ordered(of asset: SHA256Value, frame: UInt32) throws -> [(record: RenditionRecord, finished: Int64)] {
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

    /// Calls `body` with every rendition that is not held and its precedence: by frame and look, from the oldest to the
    /// newest.
    package func eachByLook(_ body: (RenditionRecord, _ finished: Int64) throws -> Void) throws {
        try database.perform { connection in
            try connection.each(
                """
                SELECT \(RenditionColumns.list), r.finished FROM \(RenditionColumns.source)
                WHERE r.held = 0 ORDER BY a.hash, r.frame, p.look, r.finished, r.key
                """
            ) { row in try body(try RenditionRecord(row), row.integer(RenditionColumns.count)) }
        }
    }

    package struct Summary {
        /// Empty if the row is damaged.
        package let photoDigest: [UInt8]
        /// Empty if the preview is lost.
        package let previewDigest: [UInt8]
        package let finished: Int64
        /// True if shown only where a user chose it.
        package let isHeld: Bool

        package init(photoDigest: [UInt8], previewDigest: [UInt8], finished: Int64, isHeld: Bool) {
            self.photoDigest = photoDigest
            self.previewDigest = previewDigest
            self.finished = finished
            self.isHeld = isHeld
        }
    }

    package func summary(_ id: RenditionID) throws -> Summary? { try summaries([id])[id.key] }

    /// The rendition's precedence; nil unless a row has its key and its photo's bytes.
    package func finished(_ record: RenditionRecord) throws -> Int64? {
        let number = try database.number(of: record.asset)
        return try database.perform { connection in
            try connection.first(
                "SELECT finished FROM renditions WHERE \(Self.isID) AND photo_sha256 = ?", number, record.key.bytes,
                record.photo.digest.bytes
            ) { $0.integer(0) }
        }
    }

    package func isHeld(_ id: RenditionID) throws -> Bool { try summary(id)?.isHeld ?? false }

    /// The highest precedence of all renditions; 0 without any.
    package func highestPrecedence() throws -> Int64 {
        try database.perform { try $0.first("SELECT max(finished) FROM renditions") { $0.integer(0) } ?? 0 }
    }

    package func newestOriginal(of asset: SHA256Value) throws -> FileStamp? {
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

    /// True if another asset was rendered from this path, because the RAW was replaced.
    func hasOther(than asset: SHA256Value, from file: FileReference) throws -> Bool {
        let number = try database.number(of: asset)
        return try database.perform { connection in
            try connection.first(
                "SELECT 1 FROM renditions WHERE original_path = ? AND original_root = ? AND asset <> ? LIMIT 1",
                file.path.bytes, file.root.text, number
            ) { _ in true } ?? false
        }
    }

    package func companions(of asset: SHA256Value) throws -> [(stamp: FileStamp, digest: SHA256Value?)] {
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

    /// Every location and state of the RAW from which the asset's renditions were made.
    package func originals(of asset: SHA256Value) throws -> [FileStamp] {
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

    /// A random sample of the RAWs in a root with renditions; all if there are fewer than `count`. Reads the whole
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

    /// Assets after `asset`, ordered by hash; empty at the end.
    package func assets(after asset: SHA256Value?, limit: Int) throws -> [SHA256Value] {
        try database.perform { connection in
            try connection.all(
                "SELECT a.hash FROM asset_numbers a WHERE a.hash > ? AND \(Self.hasRendition) ORDER BY a.hash LIMIT ?",
                asset?.bytes ?? [], limit
            ) { try $0.digest(0) }
        }
    }

    /// At most ten assets whose hash, or one of whose keys, begins with these hexadecimal digits.
    package func assets(beginning digits: String) throws -> [SHA256Value] {
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
                    // A key may have one more byte.
                    min.bytes, max.bytes + [0xFF]
                ) { try $0.digest(0) }
            }
            if !assets.isEmpty { return assets }
        }
        return []
    }

    /// An asset keeps its number without renditions.
    private static let hasRendition = "EXISTS (SELECT 1 FROM renditions r WHERE r.asset = a.id)"

    package func contains(_ id: RenditionID) throws -> Bool { try !contained([id]).isEmpty }

    package func contains(recipe: SHA256Value) throws -> Bool {
        try database.hasRow("SELECT 1 FROM renditions WHERE recipe = ? LIMIT 1", recipe.bytes)
    }

    package func recipe(_ digest: SHA256Value) throws -> RecipeRecord? {
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

    package func contains(photo digest: SHA256Value, of asset: SHA256Value) throws -> Bool {
        try database.hasRow(
            "SELECT 1 FROM renditions WHERE asset = ? AND photo_sha256 = ?", database.number(of: asset), digest.bytes)
    }

    /// The RAWs from which frames of the asset were rendered with the recipe.
    package func originals(of asset: SHA256Value, recipe: SHA256Value) throws -> [FileStamp] {
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
