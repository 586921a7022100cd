internal import Database
internal import Digest
internal import Jobs
internal import PictureFormat

/// A rendition's row, written and read.
extension LibraryStore {
    func insert(_ record: RenditionRecord, finished: Int64, replacing: Bool = false) throws {
        try insert(record.recipe)
        let photo = record.photo
        let companion = record.companion
        try connection.run(
            """
            \(replacing ? "REPLACE" : "INSERT") INTO renditions VALUES
                (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            record.key.digest.bytes, record.asset.bytes, record.frame, record.recipe.id.bytes, record.engine,
            photo.digest.bytes, photo.sizeBytes, photo.size?.width, photo.size?.height,
            record.preview?.digest.bytes, record.preview?.sizeBytes, record.preview?.size?.width,
            record.preview?.size?.height,
            record.original.file.root.text, record.original.file.path.bytes, record.original.sizeBytes,
            record.original.modifiedNanoseconds,
            companion?.file.file.root.text, companion?.file.file.path.bytes, companion?.file.sizeBytes,
            companion?.file.modifiedNanoseconds, companion?.digest?.bytes,
            record.degraded, record.captured, record.make, record.model, record.photoBase, finished)
    }

    /// The first of two recipes of one identity stays: they differ only where another program wrote the second.
    private func insert(_ recipe: RecipeRecord) throws {
        guard knownRecipes.insert(recipe.id).inserted else { return }
        try connection.run(
            "INSERT OR IGNORE INTO recipes VALUES (?, ?, ?, ?, ?, ?)", recipe.id.bytes, recipe.look,
            recipe.lookVersion, recipe.adjustment.formatIdentifier, recipe.adjustment.formatVersion,
            recipe.adjustment.data)
    }

    static let renditionColumns = """
        r.asset, r.frame, r.engine, r.photo_sha256, r.photo_bytes, r.photo_width, r.photo_height,
        r.preview_sha256, r.preview_bytes, r.preview_width, r.preview_height,
        r.original_root, r.original_path, r.original_bytes, r.original_modified,
        r.companion_root, r.companion_path, r.companion_bytes, r.companion_modified, r.companion_sha256,
        r.degraded, r.captured, r.make, r.model, r.photo_base,
        p.recipe, p.look, p.look_version, p.format_identifier, p.format_version, p.data
        """
    static let renditionSource = "renditions r JOIN recipes p ON p.recipe = r.recipe"
    /// How many columns those are.
    static let renditionWidth: Int32 = 31

    func rendition(_ key: [UInt8]) throws -> RenditionRecord? {
        try connection.first(
            "SELECT \(Self.renditionColumns) FROM \(Self.renditionSource) WHERE r.key = ?", key
        ) { row in try RenditionRecord(row) }
    }
}

extension RenditionRecord {
    /// From `renditionColumns`.
    ///
    /// - Throws: where the row cannot have been written by Rawmill.
    init(_ row: borrowing Row) throws {
        guard let photo = FileRecord(row, at: 3), let original = FileStamp(row, at: 11),
            LookReference.isName(row.text(26))
        else { throw InvalidRow() }
        self.init(
            asset: try row.digest(0), frame: UInt32(truncatingIfNeeded: row.integer(1)),
            recipe: RecipeRecord(
                id: try row.digest(25), look: row.text(26), lookVersion: UInt32(truncatingIfNeeded: row.integer(27)),
                adjustment: Adjustment(
                    formatIdentifier: row.text(28), formatVersion: row.text(29), data: row.text(30))),
            engine: UInt32(truncatingIfNeeded: row.integer(2)), photo: photo, preview: FileRecord(row, at: 7),
            original: original,
            companion: FileStamp(row, at: 15).map { Companion(file: $0, digest: try? row.digest(19)) },
            degraded: row.isNull(20) ? nil : row.text(20), captured: row.isNull(21) ? nil : row.text(21),
            make: row.text(22), model: row.text(23), photoBase: row.blob(24))
    }
}

extension FileRecord {
    init?(_ row: borrowing Row, at column: Int32) {
        guard let digest = try? row.digest(column) else { return nil }
        let size =
            row.isNull(column + 2)
            ? nil : PixelSize(width: Int(row.integer(column + 2)), height: Int(row.integer(column + 3)))
        self.init(digest: digest, sizeBytes: UInt64(bitPattern: row.integer(column + 1)), size: size)
    }
}

extension FileStamp {
    init?(_ row: borrowing Row, at column: Int32) {
        guard let root = RootName(row.text(column)), let path = RelativePath(bytes: row.blob(column + 1)) else {
            return nil
        }
        self.init(
            file: FileReference(root: root, path: path), sizeBytes: UInt64(bitPattern: row.integer(column + 2)),
            modifiedNanoseconds: row.integer(column + 3))
    }
}

extension Row {
    func digest(_ column: Int32) throws -> SHA256Value {
        guard let digest = SHA256Value(bytes: blob(column)) else { throw InvalidRow() }
        return digest
    }

    func path(_ column: Int32) throws -> RelativePath {
        guard let path = RelativePath(bytes: blob(column)) else { throw InvalidRow() }
        return path
    }
}

/// A row that Rawmill cannot have written.
struct InvalidRow: Error, CustomStringConvertible {
    var description: String {
        "library.sqlite holds a row that makes no sense: somebody else wrote to it. Run `rawmill library rebuild`."
    }
}
