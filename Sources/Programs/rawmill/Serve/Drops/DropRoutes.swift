import Clock
import Digest
import JSON
import Jobs
import Library
import Manifests
import PictureFormat
import Storage
import Telemetry
import Web
import WebService

/// Begins drops, and tells what became of their files.
struct DropRoutes {
    let drops: DropStore
    let uploads: UploadStore
    let readers: LibraryReaders
    let folder: String
    let root: Root
    let cameraPictures: CameraPictures

    var routes: [Route] {
        [
            .get("/v1/drops") { _ in list() }, .post("/v1/drops") { try begin($0) },
            .get("/v1/drops/{id}") { try await drop($0) },
            .get("/v1/uploads/{id}/preview") { try await preview($0) },
        ]
    }

    private func begin(_ request: RouteRequest) throws -> Response {
        let document = try request.json()
        guard let expected = document["files"]?.integer, (1...1_000_000).contains(expected) else {
            throw ServiceError(400, "bad-request", "files is how many files there are, from 1 to a million.")
        }
        let look = document["look"]?.text ?? "neutral"
        // A wrong look is refused now, not after an hour of uploading.
        _ = try RecipeQuery([.init("look", look)], library: folder)
        let title = SafeName.made(of: document["title"]?.text ?? "Drop")
        let drop = try drops.begin(title: title, look: look, expected: Int(expected))
        return .json(status: 201) { $0.field("drop", drop.id) }
    }

    /// The camera's thumbnail in a RAW that was dropped: what is shown until its photo is there.
    private func preview(_ request: RouteRequest) async throws -> Response {
        guard let file = drops.file(uploadedAs: request["id"]), let path = file.path,
            let place = RelativePath(bytes: Array(path.utf8)),
            let asset = file.asset.flatMap({ SHA256Value(hex: $0) }),
            let facts = try root.factsIfPresent(of: place.bytes)
        else { throw ServiceError(404, "unknown-upload", "There is no such RAW, or it is not whole yet.") }
        let stamp = FileStamp(
            file: FileReference(root: .library, path: place), sizeBytes: facts.sizeBytes,
            modifiedNanoseconds: facts.modifiedNanoseconds)
        let picture = try await cameraPictures.picture(.small, of: stamp, asset: asset)
        return FileResponse(
            picture, contentType: "image/jpeg", tag: "small-\(asset)", isImmutable: true
        ).response(to: request.request)
    }

    private func list() -> Response {
        .json { json in
            json.array("drops") { json in
                for drop in drops.all {
                    json.object { json in
                        json.field("drop", drop.id)
                        json.field("title", drop.title)
                        json.field("created", WallClock.text(milliseconds: drop.createdMilliseconds))
                        json.field("expected", drop.expected)
                        json.field("done", drop.count(.done))
                        json.field("refused", drop.count(.refused))
                        json.field("waiting", drop.expected - drop.count(.done) - drop.count(.refused))
                    }
                }
            }
        }
    }

    private func drop(_ request: RouteRequest) async throws -> Response {
        guard let drop = drops[request["id"]] else {
            throw ServiceError(404, "unknown-drop", "There is no such drop.")
        }
        let ids = drop.files.values.compactMap(\.photo)
        let photos = try await readers.read { store in
            var photos: [String: PhotoSummary] = [:]
            for id in ids {
                guard let digest = SHA256Value(hex: id), let record = try store.rendition(named: digest),
                    let path = try store.photos.path(showing: record.key),
                    let photo = try store.photos.photo(at: path)
                else { continue }
                photos[id] = photo
            }
            return photos
        }
        return .json { json in
            json.field("drop", drop.id)
            json.field("title", drop.title)
            json.field("look", drop.look)
            json.field("expected", drop.expected)
            json.array("files") { json in
                for file in drop.ordered {
                    json.object { json in
                        json.field("index", file.index)
                        json.field("name", file.name)
                        json.field("state", file.state.rawValue)
                        json.field("bytes", file.bytes)
                        json.field(
                            "received",
                            file.state == .uploading ? uploads.upload(file.upload)?.offset ?? 0 : file.bytes)
                        json.field("path", file.folder)
                        json.field("reason", file.reason)
                        json.field("message", file.message)
                        json.field("upload", file.upload)
                        json.field("hasPreview", file.path != nil && file.asset != nil)
                        if let photo = file.photo.flatMap({ photos[$0] }) {
                            json.object("photo") { PhotoJSON.write(photo, to: &$0) }
                        } else {
                            json.field("photo", String?.none)
                        }
                    }
                }
            }
            json.field("sentence", drop.sentence)
        }
    }
}
