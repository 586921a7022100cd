internal import Digest
internal import Jobs
internal import Library
internal import Manifests
internal import PictureFormat
internal import Telemetry

/// A photo as the pages know it.
enum PhotoJSON {
    static func write(_ photo: PhotoSummary, to json: inout JSONWriter) {
        write(
            key: photo.key, asset: photo.asset, frame: photo.frame, path: photo.path.bytes,
            look: "\(photo.look)@\(photo.lookVersion)", size: photo.size, captured: photo.captured,
            camera: (photo.make, photo.model), bytes: photo.sizeBytes, degraded: photo.degraded, rating: photo.rating,
            to: &json)
    }

    /// - Parameter path: below the library's folder; empty where `photos/` does not show it.
    static func write(_ rendition: Rendition, at path: [UInt8], to json: inout JSONWriter) {
        let look = rendition.recipe.look
        write(
            key: rendition.key, asset: rendition.asset, frame: rendition.frame, path: path,
            look: "\(look.name)@\(look.version)", size: rendition.photo.size, captured: rendition.captured,
            camera: (rendition.make, rendition.model), bytes: rendition.photo.sizeBytes, degraded: rendition.degraded,
            rating: rendition.rating, to: &json)
    }

    private static func write(
        key: RenditionKey, asset: SHA256Value, frame: UInt32, path: [UInt8], look: String, size: PixelSize?,
        captured: String?, camera: (make: String, model: String), bytes: UInt64, degraded: String?,
        rating: Int?, to json: inout JSONWriter
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
        json.field("captured", captured.map { LogValue.text(spoken($0)) })
        json.field("camera", name(make: camera.make, model: camera.model))
        json.field("bytes", bytes)
        json.field("degraded", degraded.map(LogValue.text))
        json.field("rating", rating.map { LogValue($0) })
    }

    /// Many cameras repeat the make in the model.
    static func name(make: String, model: String) -> String {
        model.lowercased().hasPrefix(make.lowercased()) || make.isEmpty ? model : "\(make) \(model)"
    }

    /// EXIF's `2024:05:01 08:01:00` in ISO 8601.
    static func spoken(_ exif: String) -> String {
        let parts = exif.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return exif }
        return parts[0].split(separator: ":").joined(separator: "-") + "T" + parts[1]
    }
}
