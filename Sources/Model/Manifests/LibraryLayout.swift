public import Digest
public import Jobs
internal import PictureFormat

/// The paths inside a library's folder, relative to it.
public enum LibraryLayout {
    /// The SQLite database: assets, resources, revisions, batches, consumed offsets.
    public static let database = "library.sqlite"
    /// The file that replaces `database` if the tables are on a PostgreSQL server: it names the server.
    public static let server = "library.database"
    /// The folder of immutable renditions.
    public static let objects = "objects"
    /// The folder of the photo tree: the current view of `objects`.
    public static let photos = "photos"
    /// The folder, inside `photos`, of RAWs imported on the page, with a folder for each drop.
    public static let drops = "drops"
    /// Whether a path in the library belongs to a drop.
    public static func isDropped(_ path: RelativePath) -> Bool { path.bytes.starts(with: belowDrops) }

    private static let belowDrops = Array("\(photos)/\(drops)/".utf8)

    /// The folder of the embedded broker, the coordinator's ledger, previews, looks and attempt markers.
    public static let hidden = ".rawmill"

    /// The file with the library's identity, a random number. By it, roles distinguish their library from another
    /// folder and from a mount point without its mount.
    public static let identity = "\(hidden)/library.id"

    /// An immutable rendition: `objects/ab/cd/<key>.jpg`, or another extension for other formats.
    public static func photo(_ key: RenditionKey) -> RelativePath {
        path(objects, key.digest, key.format.fileExtension)
    }

    /// A rendition's preview: `.rawmill/previews/ab/cd/<key>.jpg`.
    public static func preview(_ key: RenditionKey) -> RelativePath { preview(key.digest) }

    /// The preview of the key with this digest. It is always a JPEG.
    public static func preview(_ key: SHA256Value) -> RelativePath { path("\(hidden)/previews", key, "jpg") }

    /// A RAW that was copied or moved into the library, by its content: `objects/ab/cd/<asset>.<extension>`. For
    /// `fileExtension` see `plainExtension`.
    public static func original(_ asset: SHA256Value, fileExtension: String) -> RelativePath {
        path(objects, asset, plainExtension(fileExtension))
    }

    /// The extension if it is at most 16 ASCII letters and digits, otherwise `raw`.
    public static func plainExtension(_ fileExtension: String) -> String {
        let isPlain =
            (1...16).contains(fileExtension.utf8.count)
            && fileExtension.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
            }
        return isPlain ? fileExtension : "raw"
    }

    /// A user's `.cube`, by its content: `.rawmill/looks/<sha-256>.cube`.
    public static func look(_ digest: SHA256Value) -> RelativePath {
        checked("\(hidden)/looks/\(digest).cube")
    }

    /// A lens table, by its content: `.rawmill/lenses/<sha-256>.lenses`.
    public static func lensTable(_ digest: SHA256Value) -> RelativePath {
        checked("\(hidden)/lenses/\(digest).lenses")
    }

    /// Holds the digest of the library's lens table in hexadecimal. It is written with the library or updated by a
    /// user, so that orders from all machines use the same corrections.
    public static let currentLensTable = "\(hidden)/lenses/current"

    /// Packed camera profiles, by their content: `.rawmill/profiles/<sha-256>.dcps`.
    public static func cameraProfiles(_ digest: SHA256Value) -> RelativePath {
        checked("\(hidden)/profiles/\(digest).dcps")
    }

    /// The folder of attempt markers, `<job>.<round>.<attempt>`, with attempts from 1. The marker of attempt 0 means
    /// that a delivery of the job was completed.
    public static let attempts = "\(hidden)/attempts"

    private static func path(_ folder: String, _ digest: SHA256Value, _ fileExtension: String) -> RelativePath {
        let digits = digest.bytes.hexDigits
        var path = Array(folder.utf8)
        path.reserveCapacity(path.count + 2 * digits.count)
        for part in [digits[..<2], digits[2..<4], digits[...]] {
            path.append(UInt8(ascii: "/"))
            path += part
        }
        path.append(UInt8(ascii: "."))
        path += fileExtension.utf8
        return checked(path)
    }

    private static func checked(_ text: String) -> RelativePath { checked(Array(text.utf8)) }

    private static func checked(_ bytes: [UInt8]) -> RelativePath {
        guard let path = RelativePath(bytes: bytes) else { preconditionFailure("a layout's own path is well formed") }
        return path
    }
}
