internal import Database
public import Digest
public import Jobs
public import LibraryTables
public import Manifests
public import PictureFormat

/// A shown photo: the current rendition of one look of an asset.
@dynamicMemberLookup
public struct PhotoSummary: Hashable, Sendable {
    /// SHA-256 of the RAW's bytes.
    public let asset: SHA256Value
    /// The frame's index within the RAW, from 0.
    public let frame: UInt32
    /// Names the rendition's files.
    public let key: RenditionKey
    /// The look's name.
    public let look: String
    /// The look's version.
    public let lookVersion: UInt32
    /// The photo's path below the library's folder.
    public let path: RelativePath
    /// The photo's first-choice name if a user's file has it; nil for a photo with its first choice.
    public let occupied: RelativePath?
    /// The photo's length in bytes.
    public let sizeBytes: UInt64
    /// Width and height in pixels, if known.
    public let size: PixelSize?
    package let variant: String
    /// The RAW.
    public let original: FileReference
    /// Known facts.
    public let facts: PhotoFacts

    /// The asset and key of the shown rendition.
    public var id: RenditionID { RenditionID(asset: asset, key: key) }

    /// One of the facts.
    public subscript<Value>(dynamicMember fact: KeyPath<PhotoFacts, Value>) -> Value { facts[keyPath: fact] }
}

/// Conditions that a photo must all meet.
public struct PhotoFilter: Hashable, Sendable {
    /// A folder of the tree, including its subfolders.
    public var folder: RelativePath?
    /// A look's name.
    public var look: String?
    /// The beginning of an EXIF time of capture: `2024:05`.
    public var captured: String?
    /// A user's selection.
    public var selection: Selection?
    package var album: String?
    /// Only photos whose first-choice name a user's file has.
    public var isNameTaken = false

    /// A filter with these conditions.
    public init(
        folder: RelativePath? = nil, look: String? = nil, captured: String? = nil, selection: Selection? = nil
    ) {
        self.folder = folder
        self.look = look
        self.captured = captured
        self.selection = selection
    }

    /// Reads a user's filter.
    ///
    /// - Parameters:
    ///   - folder: `archive/2019` or `photos/archive/2019`, with or without slashes at the ends.
    ///   - look: a look's name.
    ///   - date: a year, a month or a day: `2024`, `2024-05`, `2024-05-01`.
    /// - Returns: nil if the folder is not a path or the date is not a date.
    public init?(folder: String?, look: String?, date: String?) {
        self.init(look: look)
        if let folder {
            let parts = folder.utf8.split(separator: UInt8(ascii: "/")).map(Array.init)
            let hasTop = parts.first == Array(LibraryLayout.photos.utf8)
            let whole = hasTop ? parts : [Array(LibraryLayout.photos.utf8)] + parts
            guard let path = RelativePath(bytes: Array(whole.joined(separator: [UInt8(ascii: "/")]))) else {
                return nil
            }
            self.folder = path
        }
        if let date {
            let parts = date.split(separator: "-", omittingEmptySubsequences: false)
            guard (1...3).contains(parts.count), zip(parts, [4, 2, 2]).allSatisfy({ Self.isNumber($0, digits: $1) })
            else { return nil }
            captured = parts.joined(separator: ":")
        }
    }

    private static func isNumber(_ text: Substring, digits: Int) -> Bool {
        text.utf8.count == digits && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

/// Queries of shown photos. Functions throw `LibraryError`.
public struct PhotoQueries {
    package let database: LibraryDatabase

    let limits: PhotoPlan.Limits

    package init(_ database: LibraryDatabase, limits: PhotoPlan.Limits = PhotoPlan.Limits()) {
        self.database = database
        self.limits = limits
    }

    /// Calls `body` with each of the filter's photos, ordered by path. Memory holds one at a time.
    ///
    /// - Parameter path: lists only later paths.
    /// - Throws: `LibraryError`; errors of `body`.
    public func each(
        _ filter: PhotoFilter = PhotoFilter(), after path: RelativePath? = nil, limit: Int? = nil,
        body: (PhotoSummary) throws -> Void
    ) throws {
        var left = limit ?? .max
        if left == 0 { return }
        try PhotoPlan(filter, after: path, limit: limit, in: database, limits: limits).each { query in
            try database.perform { connection in
                try connection.each(
                    "SELECT \(Self.columns) \(query.rows.sql) ORDER BY \(query.order) LIMIT ?",
                    values: query.rows.values + [.integer(Int64(left))]
                ) { row in
                    left -= 1
                    try body(PhotoSummary(row))
                }
            }
            return left != 0
        }
    }

    private static let columns = """
        \(AssetNumbers.hash("t.asset")), t.frame, t.key, p.look, p.look_version, t.path, r.photo_bytes, r.photo_width, r.photo_height, \
        r.original_root, r.original_path, \(TreeTable.occupied), t.look, \(FactColumns.list)
        """

    /// Calls `body` with the photos of rows `t` of the tree.
    func eachSummary(
        _ condition: String, _ values: [DatabaseValue], _ end: String, body: (PhotoSummary) throws -> Void
    ) throws {
        try database.perform { connection in
            try connection.each(
                """
                SELECT \(Self.columns) FROM tree t CROSS JOIN renditions r CROSS JOIN recipes p
                WHERE \(condition) AND r.asset = t.asset AND r.key = t.key AND p.recipe = r.recipe \(end)
                """, values: values
            ) { try body(PhotoSummary($0)) }
        }
    }

    /// As `each`, but reads a path only on request.
    func eachPath(_ filter: PhotoFilter, body: (() throws -> RelativePath) throws -> Void) throws {
        try PhotoPlan(filter, in: database, limits: limits).each { query in
            try database.perform { connection in
                try connection.each(
                    "SELECT t.path \(query.rows.sql) ORDER BY \(query.order)", values: query.rows.values
                ) { row in
                    // Most paths are only counted.
                    try body { try row.path(0) }
                }
            }
            return true
        }
    }

    /// The recipes of the selected photos; without a selection, of all renditions.
    package func recipes(_ selection: Selection?) throws -> [SHA256Value] {
        let rows = selection == nil ? nil : try query(selection).rows
        var recipes: [SHA256Value] = []
        try database.perform { connection in
            try connection.each(
                rows.map { "SELECT DISTINCT r.recipe \($0.sql)" } ?? "SELECT recipe FROM recipes",
                values: rows?.values ?? []
            ) { row in recipes.append(try row.digest(0)) }
        }
        return recipes
    }

    /// Calls `body` with each selected photo's rendition, recipe digest and engine: each photo once, at its rendition's
    /// own path, ordered by asset.
    package func eachRendition(
        _ selection: Selection?,
        _ body: (TreeEntryID, RenditionKey, _ recipe: SHA256Value, _ engine: UInt32, Facts) throws -> Void
    ) throws {
        let rows = try query(selection).rows
        try database.perform { connection in
            try connection.each(
                """
                SELECT \(AssetNumbers.hash("t.asset")), t.frame, t.look, t.key, r.recipe, r.engine, r.make, r.model,
                    r.photo_bytes + coalesce(r.preview_bytes, 0), t.root \(rows.sql)
                ORDER BY 1, t.frame, t.look
                """, values: rows.values
            ) { row in
                guard row.text(9).isEmpty else { return }
                try body(
                    TreeEntryID(asset: try row.digest(0), frame: row.frame(1), variant: row.text(2)),
                    try row.key(3), try row.digest(4), UInt32(clamping: row.integer(5)),
                    Facts(
                        camera: PhotoFacts.camera(make: row.text(6), model: row.text(7)),
                        sizeBytes: UInt64(bitPattern: row.integer(8))))
            }
        }
    }

    package struct Facts {
        package let camera: String
        package let sizeBytes: UInt64
    }

    private func query(_ selection: Selection?) throws -> PhotoQuery {
        let condition = try selection.map { try compiler.fragment($0.condition) }
        return PhotoQuery(condition.map { [$0] } ?? [], in: nil, driving: condition?.driving, database: database)
    }

    /// The number of the filter's photos.
    public func count(_ filter: PhotoFilter = PhotoFilter()) throws -> Int {
        var count = 0
        try PhotoPlan(filter, in: database, limits: limits).each { query in
            try database.perform { connection in
                try connection.each("SELECT count(*) \(query.rows.sql)", values: query.rows.values) { row in
                    count += Int(row.integer(0))
                }
            }
            return true
        }
        return count
    }
}

extension PhotoSummary {
    fileprivate init(_ row: borrowing Row) throws {
        guard let root = RootName(row.text(9)) else { throw InvalidRow() }
        self.init(
            asset: try row.digest(0), frame: row.frame(1), key: try row.key(2), look: row.text(3),
            lookVersion: UInt32(truncatingIfNeeded: row.integer(4)), path: try row.path(5),
            occupied: row.isNull(11) ? nil : try row.path(11),
            sizeBytes: UInt64(bitPattern: row.integer(6)),
            size: row.isNull(7) ? nil : PixelSize(width: Int(row.integer(7)), height: Int(row.integer(8))),
            variant: row.text(12), original: FileReference(root: root, path: try row.path(10)),
            facts: PhotoFacts(row, at: 13))
    }
}
