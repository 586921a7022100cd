internal import Database
public import Digest
public import Jobs
internal import Manifests
internal import PictureFormat

/// The library's files according to its rows, in pages. Each page is a separate transaction, so that a check of several
/// hours does not stop the writer from shortening its log. Functions throw `LibraryError`.
public struct FileQueries {
    private let database: LibraryDatabase
    private let renditions: RenditionTable
    private let copies: OriginalCopyTable
    private let entries: TreeTable
    private let sightings: SightingTable
    private let people: PeopleTable

    package init(
        _ database: LibraryDatabase, renditions: RenditionTable, copies: OriginalCopyTable, entries: TreeTable,
        sightings: SightingTable, people: PeopleTable
    ) {
        self.people = people
        self.sightings = sightings
        self.database = database
        self.renditions = renditions
        self.copies = copies
        self.entries = entries
    }

    /// True for a RAW in the library's folder that has photos, as after a drop on the page.
    package func isOwnRaw(_ path: RelativePath) throws -> Bool {
        try database.hasRow(
            "SELECT 1 FROM renditions WHERE original_path = ? AND original_root = ?", path.bytes, RootName.library.text)
    }

    /// True if a RAW in the library's folder with photos has this path apart from its extension.
    package func hasOwnRaw(beside path: RelativePath) throws -> Bool {
        guard let dot = path.bytes.lastIndex(of: UInt8(ascii: ".")) else { return false }
        let base = path.bytes[..<dot]
        return try database.perform { connection in
            try connection.first(
                "SELECT 1 FROM renditions WHERE original_path > ? AND original_path < ? AND original_root = ?",
                base + [UInt8(ascii: ".")], base + [UInt8(ascii: ".") + 1], RootName.library.text
            ) { _ in true } ?? false
        }
    }

    /// The files of a rendition.
    public struct RenditionFiles: Hashable, Sendable {
        /// The rendition's asset and key.
        public let id: RenditionID
        /// Names the rendition's files.
        public var key: RenditionKey { id.key }
        /// The full-size file.
        public let photo: FileRecord
        /// The display-size file; nil if it is lost.
        public let preview: FileRecord?
        /// The path where `photos/` shows it; nil if it shows a newer one of the look.
        public let shownAt: RelativePath?
    }

    /// Renditions after `id`, ordered by asset and key; empty at the end.
    public func renditionFiles(after id: RenditionID?, limit: Int) throws -> [RenditionFiles] {
        try database.perform { connection in
            let number = try number(after: id)
            return try connection.all(
                """
                SELECT r.key, r.photo_sha256, r.photo_bytes, r.photo_width, r.photo_height, r.preview_sha256,
                    r.preview_bytes, r.preview_width, r.preview_height,
                    (SELECT path FROM tree t WHERE t.asset = r.asset AND t.key = r.key ORDER BY path LIMIT 1),
                    \(AssetNumbers.hash("r.asset"))
                FROM renditions r WHERE (r.asset, r.key) > (?, ?) ORDER BY r.asset, r.key LIMIT ?
                """, number, id?.key.bytes ?? [], limit
            ) { row in
                guard let photo = FileRecord(row, at: 1) else { throw InvalidRow() }
                return RenditionFiles(
                    id: RenditionID(asset: try row.digest(10), key: try row.key(0)), photo: photo,
                    preview: FileRecord(row, at: 5),
                    shownAt: row.isNull(9) ? nil : try row.path(9))
            }
        }
    }

    /// The asset's number, where a page continues. Throws for an unknown asset, because starting again would never end.
    private func number(after id: RenditionID?) throws -> Int64 {
        guard let id else { return 0 }
        let number = try database.number(of: id.asset)
        guard number > 0 else { throw InvalidRow() }
        return number
    }

    package struct TreeLink: Hashable, Sendable {
        package let path: RelativePath
        package let photo: ShownPhoto
        package let isPeoples: Bool
    }

    package func treeLinks(after path: RelativePath?, limit: Int) throws -> [TreeLink] {
        try database.perform { connection in
            try connection.all(
                """
                SELECT t.path, t.key, \(AssetNumbers.hash("c.asset")), c.extension, r.photo_sha256, n.path IS NOT NULL,
                    p.sha256, p.inode, p.bytes, p.modified, p.changed
                FROM tree t LEFT JOIN copies c ON t.key IS NULL AND c.asset = t.asset
                LEFT JOIN renditions r ON r.asset = t.asset AND r.key = t.key LEFT JOIN placed p ON p.path = t.path
                LEFT JOIN people n ON n.path = t.path WHERE t.path > ? ORDER BY t.path LIMIT ?
                """, path?.bytes ?? [], limit
            ) { row in
                guard let object = try row.object(1) else { throw InvalidRow() }
                let isRaw = row.isNull(1)
                return TreeLink(
                    path: try row.path(0),
                    photo: ShownPhoto(
                        object: object, digest: try? row.digest(isRaw ? 2 : 4),
                        placed: row.isNull(6) ? nil : try PlacedFile(row, at: 6), isRaw: isRaw),
                    isPeoples: row.integer(5) != 0)
            }
        }
    }

    /// The RAW of an asset: its copy in the library, and its locations in renditions.
    package struct AssetSources: Hashable, Sendable {
        package let asset: SHA256Value
        package let copy: OriginalCopy?
        package let originals: [FileStamp]
        /// Camera JPEGs that the library has no copy of.
        package let companions: [FileStamp]
    }

    /// Assets after `asset`, ordered by hash; empty at the end.
    package func assetSources(after asset: SHA256Value?, limit: Int) throws -> [AssetSources] {
        try renditions.assets(after: asset, limit: limit).map { asset in
            AssetSources(
                asset: asset, copy: try copies.copy(of: asset),
                originals: Array(
                    Set(try renditions.originals(of: asset) + sightings.all(of: asset).map(\.raw))
                ).sorted { ($0.file.root, $0.file.path) < ($1.file.root, $1.file.path) },
                companions: try companions(of: asset))
        }
    }

    /// A random sample of the known RAWs in a root; all if there are fewer than `count`.
    package func sampleOfRaws(in root: RootName, count: Int) throws -> [FileStamp] {
        let seen = try sightings.sample(of: root, count: count)
        // After a rebuild without a database, only the paths in photos are known.
        return try seen.isEmpty ? renditions.sampleOfOriginals(in: root, count: count) : seen
    }

    private func companions(of asset: SHA256Value) throws -> [FileStamp] {
        let known = try renditions.companions(of: asset)
        if known.isEmpty { return [] }
        let carried = Set(try people.edits(of: asset).map(\.digest))
        return known.filter { $0.digest.map { !carried.contains($0) } ?? true }.map(\.stamp)
    }

    /// True if another asset was made from or seen at this path, so that the file may be another RAW's.
    package func isReplaced(_ file: FileReference, of asset: SHA256Value) throws -> Bool {
        try renditions.hasOther(than: asset, from: file) || sightings.hasOther(than: asset, at: file)
    }

    package func renditions(named digests: Set<SHA256Value>) throws -> Set<RenditionID> { try renditions.find(digests) }

    package func hasRendition(_ digest: SHA256Value, of asset: SHA256Value) throws -> Bool {
        let keys = PhotoFormat.allCases.map { RenditionKey(digest: digest, format: $0) }
        return try !renditions.contained(keys.map { RenditionID(asset: asset, key: $0) }).isEmpty
    }

    /// A rendition and its RAW.
    public struct RenditionOrigin: Hashable, Sendable {
        /// Names the rendition's files.
        public let key: RenditionKey
        /// SHA-256 of the RAW's bytes.
        public let asset: SHA256Value
        /// The recipe's digest.
        public let recipe: SHA256Value
        /// The RAW.
        public let raw: FileStamp

        /// The rendition's asset and key.
        public var id: RenditionID { RenditionID(asset: asset, key: key) }
    }

    /// Renditions after `id`, ordered by asset and key; empty at the end.
    public func renditionOrigins(after id: RenditionID?, limit: Int) throws -> [RenditionOrigin] {
        try database.perform { connection in
            let number = try number(after: id)
            return try connection.all(
                """
                SELECT key, \(AssetNumbers.hash()), recipe, original_root, original_path, original_bytes,
                    original_modified
                FROM renditions WHERE (asset, key) > (?, ?) ORDER BY asset, key LIMIT ?
                """, number, id?.key.bytes ?? [], limit
            ) { row in
                RenditionOrigin(
                    key: try row.key(0), asset: try row.digest(1), recipe: try row.digest(2), raw: try row.stamp(3))
            }
        }
    }

    /// The RAWs of the asset's renditions of a recipe; empty without such a rendition.
    public func originals(of asset: SHA256Value, recipe: SHA256Value) throws -> [FileStamp] {
        try renditions.originals(of: asset, recipe: recipe)
    }

    package func hasTreeEntry(_ path: RelativePath) throws -> Bool { try entries.contains(path) }
}
