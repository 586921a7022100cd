internal import Digest
internal import Jobs
internal import LibraryTables
internal import Manifests
internal import PictureFormat
internal import Selection
internal import Telemetry

enum PhotoJSON {
    /// The facts of a photo in a list. The description of a single photo has all facts.
    static let listed: Set<String> = ["make", "model", "captured", "degraded", "rating"]

    static func fields(_ photo: PhotoSummary) -> JSONFields {
        fields(
            key: photo.key, asset: photo.asset, frame: photo.frame, path: photo.path.bytes,
            look: "\(photo.look)@\(photo.lookVersion)", size: photo.size, bytes: photo.sizeBytes, facts: photo.facts)
    }

    /// A rendition that `photos/` does not show.
    static func fields(_ record: RenditionRecord) -> JSONFields {
        fields(
            key: record.key, asset: record.asset, frame: record.frame, path: record.photoBase,
            look: "\(record.recipe.look)@\(record.recipe.lookVersion)", size: record.photo.size,
            bytes: record.photo.sizeBytes, facts: record.facts)
    }

    /// - Parameter path: the path below the library's folder; empty if `photos/` does not show it.
    static func fields(_ rendition: Rendition, at path: [UInt8]) -> JSONFields {
        let look = rendition.recipe.look
        return fields(
            key: rendition.key, asset: rendition.asset, frame: rendition.frame, path: path,
            look: "\(look.name)@\(look.version)", size: rendition.photo.size, bytes: rendition.photo.sizeBytes,
            facts: rendition.facts)
    }

    private static func fields(
        key: RenditionKey, asset: SHA256Value, frame: UInt32, path: [UInt8], look: String, size: PixelSize?,
        bytes: UInt64, facts: PhotoFacts
    ) -> JSONFields {
        let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let folder = parts.dropFirst().dropLast().joined(separator: [UInt8(ascii: "/")])
        return [
            "id": key.description, "asset": asset.description, "frame": frame,
            "name": String(decoding: parts.last ?? [], as: UTF8.self),
            "folder": String(decoding: Array(folder), as: UTF8.self), "look": look, "width": size?.width,
            "height": size?.height, "captured": facts.captured.map(spoken), "camera": facts.camera, "bytes": bytes,
            "degraded": facts.degraded, "rating": facts.rating,
        ]
    }

    /// Converts EXIF's `2024:05:01 08:01:00` to ISO 8601.
    private static func spoken(_ exif: String) -> String {
        let parts = exif.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return exif }
        return parts[0].split(separator: ":").joined(separator: "-") + "T" + parts[1]
    }
}
