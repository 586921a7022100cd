import Digest
import Jobs
import Manifests
import PictureFormat
import Testing

/// A photo to export, as a worker would have rendered it.
struct ExportedShot {
    var path = "2024/may/IMG_1.CR3"
    var base = "IMG_1"
    var dir = "2024/may"
    var frame: UInt32 = 0
    var captured: String? = "2024:05:01 10:20:30"
    var model = "EOS R5"
    /// The bytes of the photo.
    var photo = "photo"
    var exposure = 0.0
    var modified: Int64 = 1

    var recipe: Recipe {
        get throws {
            let look = try #require(LookReference(name: "mono", version: 1, digest: SHA256Value(of: [1])))
            return Recipe(look: look, exposureStops: exposure, longEdgePixels: 2400, quality: 80)
        }
    }

    var source: Source {
        get throws {
            let file = FileReference(root: try #require(RootName("raw")), path: try #require(RelativePath(path)))
            return Source(
                raw: FileStamp(file: file, sizeBytes: 1, modifiedNanoseconds: modified), photoBase: Array(base.utf8))
        }
    }

    var rendition: Rendition {
        get throws {
            let asset = SHA256Value(of: Array("\(path) \(modified)".utf8))
            let recipe = try recipe
            let key = RenditionKey(
                asset: asset, frame: frame, recipe: recipe.id, engine: Engine.version, format: recipe.format)
            let bytes = Array(photo.utf8)
            let size = PixelSize(width: 3, height: 2)
            return Rendition(
                asset: asset, frame: frame, recipe: recipe, engine: Engine.version,
                photo: ProducedFile(
                    path: LibraryLayout.photo(key), digest: SHA256Value(of: bytes), sizeBytes: UInt64(bytes.count),
                    size: size),
                preview: ProducedFile(
                    path: LibraryLayout.preview(key), digest: SHA256Value(of: [2]), sizeBytes: 1, size: size),
                original: try source.raw, facts: PhotoFacts(make: "Canon", model: model, captured: captured),
                photoBase: Array(base.utf8))
        }
    }
}
