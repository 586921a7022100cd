package import Database
internal import Digest
internal import Jobs
internal import Manifests
internal import PictureFormat

/// The columns of a rendition, in the order in which `RenditionRecord` reads them.
enum RenditionColumns {
    static let list = """
        a.hash, r.frame, r.engine, r.photo_sha256, r.photo_bytes, r.photo_width, r.photo_height,
        r.preview_sha256, r.preview_bytes, r.preview_width, r.preview_height,
        r.original_root, r.original_path, r.original_bytes, r.original_modified,
        r.companion_root, r.companion_path, r.companion_bytes, r.companion_modified, r.companion_sha256,
        r.photo_base, p.recipe, p.look, p.look_version, p.format_identifier, p.format_version, p.data, r.key,
        \(FactColumns.list)
        """
    static let facts: Int32 = 28
    static let count = facts + FactColumns.count
    static let source = "renditions r JOIN recipes p ON p.recipe = r.recipe JOIN assets a ON a.id = r.asset"
}

extension RenditionRecord {
    /// Reads `RenditionColumns.list`. Throws `InvalidRow` if Rawmill cannot have written the row.
    package init(_ row: borrowing Row) throws {
        guard let photo = FileRecord(row, at: 3), LookReference.isName(row.text(22)) else { throw InvalidRow() }
        self.init(
            asset: try row.digest(0), frame: row.frame(1),
            recipe: RecipeRecord(
                id: try row.digest(21), look: row.text(22), lookVersion: UInt32(truncatingIfNeeded: row.integer(23)),
                adjustment: Adjustment(
                    formatIdentifier: row.text(24), formatVersion: row.text(25), data: row.text(26))),
            engine: UInt32(truncatingIfNeeded: row.integer(2)), photo: photo, preview: FileRecord(row, at: 7),
            original: try row.stamp(11),
            companion: FileStamp(row, at: 15).map { Companion(file: $0, digest: try? row.digest(19)) },
            facts: PhotoFacts(row, at: RenditionColumns.facts), photoBase: row.blob(20), format: try row.key(27).format)
    }
}
