public import Digest
public import Jobs
internal import PictureFormat

/// The paths inside a library's folder; all are relative to it.
public enum LibraryLayout {
    /// Assets, resources, revisions, batches, consumed offsets.
    public static let database = "library.sqlite"
    /// In its place where the tables are on a PostgreSQL server: the file that says where.
    public static let server = "library.database"
    /// The folder of immutable renditions.
    public static let objects = "objects"
    /// The folder of the photo tree: the current view of `objects`.
    public static let photos = "photos"
    /// Below `photos`: the folder of RAWs that people dropped on the web page, each drop in one of its own.
    public static let drops = "drops"
    /// Whether a path in the library is of what people dropped.
    public static func isDropped(_ path: RelativePath) -> Bool { path.bytes.starts(with: belowDrops) }

    private static let belowDrops = Array("\(photos)/\(drops)/".utf8)

    /// The embedded broker, the coordinator's ledger, previews, looks, markers of started attempts.
    public static let hidden = ".rawmill"

    /// The file with the library's identity, a random number that was drawn when the library was made. Roles know by it that
    /// the folder is the library that they are meant to work in, and not a mount point without its mount.
    public static let identity = "\(hidden)/library.id"

    /// The immutable rendition: `objects/ab/cd/<key>.jpg`, or with another format's extension.
    public static func photo(_ key: RenditionKey) -> RelativePath {
        path(objects, key.digest, key.format.fileExtension)
    }

    /// The display-size rendition: `.rawmill/previews/ab/cd/<key>.jpg`.
    public static func preview(_ key: RenditionKey) -> RelativePath { preview(key.digest) }

    /// The display-size rendition of the key with this digest. It is a JPEG, whatever the photo is.
    public static func preview(_ key: SHA256Value) -> RelativePath { path("\(hidden)/previews", key, "jpg") }

    /// A RAW that was copied or moved into the library, by its content: `objects/ab/cd/<asset>.<extension>`.
    ///
    /// - Parameter fileExtension: as the source has it; see `plainExtension`.
    public static func original(_ asset: SHA256Value, fileExtension: String) -> RelativePath {
        path(objects, asset, plainExtension(fileExtension))
    }

    /// The extension itself where it is at most 16 ASCII letters and digits; of anything else `raw`.
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

    /// Names the library's lens table by its digest in hexadecimal: it was made when the library was, or brought up to date by a
    /// person, so that every order corrects alike, whatever machine it comes from.
    public static let currentLensTable = "\(hidden)/lenses/current"

    /// Packed camera profiles, by their content: `.rawmill/profiles/<sha-256>.dcps`.
    public static func cameraProfiles(_ digest: SHA256Value) -> RelativePath {
        checked("\(hidden)/profiles/\(digest).dcps")
    }

    /// The folder of markers of started attempts: `<job>.<round>.<attempt>`, attempts from 1. A marker of attempt 0 says
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
