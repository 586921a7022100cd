internal import Digest
internal import Jobs
internal import Library
internal import Manifests
internal import PictureFormat
internal import Telemetry

/// A photo as the pages know it.
enum PhotoJSON {
    /// The facts that a photo of a list has. Only the description of one photo has the others.
    static let listed: Set<String> = ["make", "model", "captured", "degraded", "rating"]

    static func write(_ photo: PhotoSummary, to json: inout JSONWriter) {
        write(
            key: photo.key, asset: photo.asset, frame: photo.frame, path: photo.path.bytes,
            look: "\(photo.look)@\(photo.lookVersion)", size: photo.size, bytes: photo.sizeBytes, facts: photo.facts,
            to: &json)
    }

    /// A rendition that `photos/` does not show.
    static func write(_ record: RenditionRecord, to json: inout JSONWriter) {
        write(
            key: record.key, asset: record.asset, frame: record.frame, path: record.photoBase,
            look: "\(record.recipe.look)@\(record.recipe.lookVersion)", size: record.photo.size,
            bytes: record.photo.sizeBytes, facts: record.facts, to: &json)
    }

    /// - Parameter path: below the library's folder; empty where `photos/` does not show it.
    static func write(_ rendition: Rendition, at path: [UInt8], to json: inout JSONWriter) {
        let look = rendition.recipe.look
        write(
            key: rendition.key, asset: rendition.asset, frame: rendition.frame, path: path,
            look: "\(look.name)@\(look.version)", size: rendition.photo.size, bytes: rendition.photo.sizeBytes,
            facts: rendition.facts, to: &json)
    }

    private static func write(
        key: RenditionKey, asset: SHA256Value, frame: UInt32, path: [UInt8], look: String, size: PixelSize?,
        bytes: UInt64, facts: PhotoFacts, to json: inout JSONWriter
    ) {
        let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        json.field("id", key.description)
        json.field("asset", asset.description)
        json.field("frame", frame)
        json.field("name", bytes: parts.last ?? [])
        json.field("folder", bytes: Array(parts.dropFirst().dropLast().joined(separator: [UInt8(ascii: "/")])))
        json.field("look", look)
        json.field("width", size.map { LogValue($0.width) })
        json.field("height", size.map { LogValue($0.height) })
        json.field("captured", facts.captured.map { LogValue.text(spoken($0)) })
        json.field("camera", facts.camera)
        json.field("bytes", bytes)
        json.field("degraded", facts.degraded.map(LogValue.text))
        json.field("rating", facts.rating.map { LogValue($0) })
    }

    /// EXIF's `2024:05:01 08:01:00` in ISO 8601.
    private static func spoken(_ exif: String) -> String {
        let parts = exif.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return exif }
        return parts[0].split(separator: ":").joined(separator: "-") + "T" + parts[1]
    }
}
