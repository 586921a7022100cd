internal import PictureFormat
internal import Database
public import Digest
public import Jobs
internal import Manifests

/// What the rows say of the library's files, in pages. Each page is a transaction of its own, so that a check that
/// takes hours does not stop the writer from shortening its log.
public struct FileQueries {
    private let database: LibraryDatabase
    private let renditions: RenditionTable
    private let copies: OriginalCopyTable
    private let entries: TreeTable
    private let sightings: SightingTable
    private let people: PeopleTable

    init(
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

    /// True if the file is a RAW that photos were made of, in the library's own folder: one that was dropped on its page.
    ///
    /// - Throws: `LibraryError`.
    func isOwnRaw(_ path: RelativePath) throws -> Bool {
        try database.hasRow(
            "SELECT 1 FROM renditions WHERE original_path = ? AND original_root = ?", path.bytes, RootName.library.text)
    }

    /// True if photos were made of a RAW in the library's own folder that has this path but for its extension.
    ///
    /// - Throws: `LibraryError`.
    func hasOwnRaw(beside path: RelativePath) throws -> Bool {
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
        /// The path at which `photos/` shows it; nil if it shows a newer one of the look.
        public let shownAt: RelativePath?
    }

    /// Renditions as their assets came, those of one asset in the order of keys, after `id`; empty at the end.
    ///
    /// - Throws: `LibraryError`.
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

    /// The number of the asset that a page goes on after. Without one it would begin anew, and a walk would not end.
    private func number(after id: RenditionID?) throws -> Int64 {
        guard let id else { return 0 }
        let number = try database.number(of: id.asset)
        guard number > 0 else { throw InvalidRow() }
        return number
    }

    /// A file below `photos/`, and what it has to show.
    struct TreeLink: Hashable, Sendable {
        let path: RelativePath
        let photo: ShownPhoto
        /// True if the name holds a person's edit of the photo.
        let isPeoples: Bool
    }

    /// Links in the order of paths, those after `path`; empty at the end.
    func treeLinks(after path: RelativePath?, limit: Int) throws -> [TreeLink] {
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

    /// The RAW of an asset: its copy in the library, and the locations its renditions were made from.
    struct AssetSources: Hashable, Sendable {
        let asset: SHA256Value
        let copy: OriginalCopy?
        let originals: [FileStamp]
        /// The cameras' JPEGs, without those that were copied into the library.
        let companions: [FileStamp]
    }

    /// Assets in the order of their hashes, those after `asset`; empty at the end.
    func assetSources(after asset: SHA256Value?, limit: Int) throws -> [AssetSources] {
        try renditions.assets(after: asset, limit: limit).map { asset in
            AssetSources(
                asset: asset, copy: try copies.copy(of: asset),
                originals: Array(
                    Set(try renditions.originals(of: asset) + sightings.all(of: asset).map(\.raw))
                ).sorted { ($0.file.root, $0.file.path) < ($1.file.root, $1.file.path) },
                companions: try companions(of: asset))
        }
    }

    /// Some of the RAWs that the library knows in a root, at random, and all if there are fewer than `count`.
    func sampleOfRaws(in root: RootName, count: Int) throws -> [FileStamp] {
        let seen = try sightings.sample(of: root, count: count)
        // A library that was rebuilt without its database knows the paths that its photos name, and no others.
        return try seen.isEmpty ? renditions.sampleOfOriginals(in: root, count: count) : seen
    }

    private func companions(of asset: SHA256Value) throws -> [FileStamp] {
        let known = try renditions.companions(of: asset)
        if known.isEmpty { return [] }
        let carried = Set(try people.edits(of: asset).map(\.digest))
        return known.filter { $0.digest.map { !carried.contains($0) } ?? true }.map(\.stamp)
    }

    /// True if another asset was made from the file at this path, or was seen there: it may be a copy of another RAW.
    func isReplaced(_ file: FileReference, of asset: SHA256Value) throws -> Bool {
        try renditions.hasOther(than: asset, from: file) || sightings.hasOther(than: asset, at: file)
    }

    /// The renditions of any format whose keys have one of the digests.
    func renditions(named digests: Set<SHA256Value>) throws -> Set<RenditionID> { try renditions.find(digests) }

    /// True if the asset has a rendition of any format whose key has this digest.
    func hasRendition(_ digest: SHA256Value, of asset: SHA256Value) throws -> Bool {
        let keys = PhotoFormat.allCases.map { RenditionKey(digest: digest, format: $0) }
        return try !renditions.contained(keys.map { RenditionID(asset: asset, key: $0) }).isEmpty
    }

    /// A rendition and the RAW that it was made from.
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

    /// Renditions as their assets came, those of one asset in the order of keys, after `id`; empty at the end.
    ///
    /// - Throws: `LibraryError`.
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

    /// The RAWs that the asset's renditions of a recipe were made from; empty without such a rendition.
    ///
    /// - Throws: `LibraryError`.
    public func originals(of asset: SHA256Value, recipe: SHA256Value) throws -> [FileStamp] {
        try renditions.originals(of: asset, recipe: recipe)
    }

    /// True if a row of the tree has the path.
    func hasTreeEntry(_ path: RelativePath) throws -> Bool { try entries.contains(path) }
}
