internal import Database
public import Digest
public import Jobs
internal import Manifests

/// What the library's rows say of its files, in pages, for who checks them: a page is a transaction of its own, so that
/// a check of hours does not hold up the writer's log.
extension LibraryStore {
    /// A rendition's files.
    public struct RenditionFiles: Hashable, Sendable {
        public let key: RenditionKey
        public let photo: FileRecord
        public let preview: FileRecord?
        /// Where `photos/` shows it.
        public let shownAt: RelativePath?
    }

    /// In the order of keys, those after `key`; empty at the end.
    public func renditionFiles(after key: RenditionKey?, limit: Int) throws -> [RenditionFiles] {
        try LibraryError.naming(folder) {
            try connection.all(
                """
                SELECT r.key, r.photo_sha256, r.photo_bytes, r.photo_width, r.photo_height, r.preview_sha256,
                    r.preview_bytes, r.preview_width, r.preview_height, t.path
                FROM renditions r JOIN recipes p ON p.recipe = r.recipe
                LEFT JOIN tree t ON t.asset = r.asset AND t.frame = r.frame AND t.look = p.look AND t.key = r.key
                WHERE r.key > ? ORDER BY r.key LIMIT ?
                """, key?.digest.bytes ?? [], limit
            ) { row in
                guard let photo = FileRecord(row, at: 1) else { throw InvalidRow() }
                return RenditionFiles(
                    key: RenditionKey(digest: try row.digest(0)), photo: photo, preview: FileRecord(row, at: 5),
                    shownAt: row.isNull(9) ? nil : try row.path(9))
            }
        }
    }

    /// A file below `photos/`, and what it has to be.
    public struct TreeLink: Hashable, Sendable {
        public let path: RelativePath
        public let object: RelativePath
    }

    /// In the order of paths, those after `path`; empty at the end.
    public func treeLinks(after path: RelativePath?, limit: Int) throws -> [TreeLink] {
        try LibraryError.naming(folder) {
            try connection.all(
                """
                SELECT t.path, t.key, c.asset, c.extension FROM tree t
                LEFT JOIN copies c ON t.key IS NULL AND c.asset = t.asset WHERE t.path > ? ORDER BY t.path LIMIT ?
                """, path?.bytes ?? [], limit
            ) { row in
                guard let object = try Self.object(of: row) else { throw InvalidRow() }
                return TreeLink(path: try row.path(0), object: object)
            }
        }
    }

    /// An asset's RAW: its copy in the library, and the places its renditions were made from.
    public struct AssetSources: Hashable, Sendable {
        public let asset: SHA256Value
        public let copy: OriginalCopy?
        public let originals: [FileStamp]
    }

    /// In the order of assets, those after `asset`; empty at the end.
    public func assetSources(after asset: SHA256Value?, limit: Int) throws -> [AssetSources] {
        try LibraryError.naming(folder) {
            let assets = try connection.all(
                "SELECT DISTINCT asset FROM renditions WHERE asset > ? ORDER BY asset LIMIT ?", asset?.bytes ?? [],
                limit
            ) { try $0.digest(0) }
            return try assets.map { AssetSources(asset: $0, copy: try copy(of: $0), originals: try originals(of: $0)) }
        }
    }

    private func originals(of asset: SHA256Value) throws -> [FileStamp] {
        try connection.all(
            """
            SELECT DISTINCT original_root, original_path, original_bytes, original_modified FROM renditions
            WHERE asset = ? ORDER BY original_root, original_path
            """, asset.bytes
        ) { row in
            guard let stamp = FileStamp(row, at: 0) else { throw InvalidRow() }
            return stamp
        }
    }

    public func hasRendition(_ key: RenditionKey) throws -> Bool {
        try connection.first("SELECT 1 FROM renditions WHERE key = ?", key.digest.bytes) { _ in true } ?? false
    }

    /// True where any frame of the RAW was rendered so.
    public func hasRendition(of asset: SHA256Value, recipe: SHA256Value) throws -> Bool {
        try connection.first(
            "SELECT 1 FROM renditions WHERE asset = ? AND recipe = ?", asset.bytes, recipe.bytes
        ) { _ in true } ?? false
    }

    public func hasTreeFile(_ path: RelativePath) throws -> Bool {
        try connection.first("SELECT 1 FROM tree WHERE path = ?", path.bytes) { _ in true } ?? false
    }

    /// Makes the files of these names, and of all names noted before, follow their rows again; a name without a row
    /// goes.
    public func settleAgain(_ paths: [RelativePath]) throws -> [LinkUpdate] {
        var settled: [LinkUpdate] = []
        try transaction { for path in paths { try unsettle(path) } }
        try settle { settled.append($0) }
        try transaction { try markSettled() }
        return settled
    }

    /// Names whose files may not be what their rows say yet.
    public func unsettledPaths() throws -> [RelativePath] {
        try connection.all("SELECT path FROM unsettled ORDER BY path") { try $0.path(0) }
    }
}
