internal import Database
public import Digest
public import Jobs
internal import Manifests
public import PictureFormat

/// One line of `rawmill library list`: a look of an asset, as `photos/` shows it.
public struct PhotoSummary: Hashable, Sendable {
    public let asset: SHA256Value
    public let frame: UInt32
    public let key: RenditionKey
    public let look: String
    public let lookVersion: UInt32
    /// Below the library's folder.
    public let path: RelativePath
    public let sizeBytes: UInt64
    public let size: PixelSize?
    public let original: FileReference
    /// As EXIF writes it; nil where the camera recorded none.
    public let captured: String?
    public let make: String
    public let model: String
    public let degraded: String?
}

/// Which photos to list; all conditions given have to hold.
public struct PhotoFilter: Hashable, Sendable {
    /// A folder of the tree and all below it.
    public var folder: RelativePath?
    public var look: String?
    /// The beginning of a capture time as EXIF writes it: "2024:05".
    public var captured: String?

    public init(folder: RelativePath? = nil, look: String? = nil, captured: String? = nil) {
        self.folder = folder
        self.look = look
        self.captured = captured
    }

    /// From what a person types.
    ///
    /// - Parameter folder: `archive/2019` or `photos/archive/2019`, slashes at its ends or not.
    /// - Parameter date: a year, month or day: `2024`, `2024-05`, `2024-05-01`.
    /// - Returns: nil for a folder or date that cannot be one.
    public init?(folder: String?, look: String?, date: String?) {
        self.init(look: look)
        if let folder {
            let parts = folder.utf8.split(separator: UInt8(ascii: "/")).map(Array.init)
            let isWhole = parts.first == Array(LibraryLayout.photos.utf8)
            let whole = isWhole ? parts : [Array(LibraryLayout.photos.utf8)] + parts
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

extension LibraryStore {
    /// Hands each current photo to `body`, ordered by path, holding one at a time.
    public func eachPhoto(_ filter: PhotoFilter = PhotoFilter(), body: (PhotoSummary) throws -> Void) throws {
        let (from, to) = Self.range(below: filter.folder)
        let captured = filter.captured ?? ""
        try LibraryError.naming(folder) {
            try connection.each(
                """
                SELECT t.asset, t.frame, t.key, t.look, p.look_version, t.path, r.photo_bytes, r.photo_width,
                    r.photo_height, r.original_root, r.original_path, r.captured, r.make, r.model, r.degraded
                FROM tree t JOIN renditions r ON r.key = t.key JOIN recipes p ON p.recipe = r.recipe
                WHERE t.path >= ? AND t.path < ? AND (?3 IS NULL OR t.look = ?3)
                    AND (?4 = '' OR substr(r.captured, 1, length(?4)) = ?4)
                ORDER BY t.path
                """, from, to, filter.look, captured
            ) { row in try body(PhotoSummary(row)) }
        }
    }

    /// The paths below a folder sort between these two: "/" is followed by "0" in ASCII.
    private static func range(below folder: RelativePath?) -> (from: [UInt8], to: [UInt8]) {
        let bytes = folder?.bytes ?? Array(LibraryLayout.photos.utf8)
        return (bytes + [UInt8(ascii: "/")], bytes + [UInt8(ascii: "0")])
    }
}

extension PhotoSummary {
    fileprivate init(_ row: borrowing Row) throws {
        guard let root = RootName(row.text(9)) else { throw InvalidRow() }
        self.init(
            asset: try row.digest(0), frame: UInt32(truncatingIfNeeded: row.integer(1)),
            key: RenditionKey(digest: try row.digest(2)), look: row.text(3),
            lookVersion: UInt32(truncatingIfNeeded: row.integer(4)), path: try row.path(5),
            sizeBytes: UInt64(bitPattern: row.integer(6)),
            size: row.isNull(7) ? nil : PixelSize(width: Int(row.integer(7)), height: Int(row.integer(8))),
            original: FileReference(root: root, path: try row.path(10)), captured: row.isNull(11) ? nil : row.text(11),
            make: row.text(12), model: row.text(13), degraded: row.isNull(14) ? nil : row.text(14))
    }
}
