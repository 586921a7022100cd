internal import Clock
internal import Digest
internal import JSON
internal import Jobs
internal import Library
internal import Manifests
internal import PictureFormat
internal import Storage
internal import Telemetry
internal import Web
internal import WebService

/// Begins drops, and tells what became of their files.
struct DropRoutes {
    let drops: DropStore
    let intake: DropIntake
    let uploads: UploadStore
    let readers: LibraryReaders
    let folder: String
    let root: Root
    let recipes: any RecipeSettings
    let cameraPictures: CameraPictures

    var routes: [Route] {
        [
            .get("/v1/drops") { _ in list() }, .post("/v1/drops") { try begin($0) },
            .get("/v1/drops/{id}") { try await drop($0) },
            .post("/v1/drops/{id}/close") { try close($0) },
            .post("/v1/drops/{id}/album") { try await openAsAlbum($0) },
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
        _ = try recipes.request([.init("look", look)])
        let title = SafeName.made(of: document["title"]?.text ?? "Drop")
        let names = document["names"]?.texts ?? []
        guard
            document["names"] == nil
                || names.count == Int(expected) && names.count <= Self.maxNames
                    && names.allSatisfy({ $0.unicodeScalars.count <= Self.maxNameLength })
        else {
            throw ServiceError(
                400, "bad-request",
                "names is a name for each of the files, of \(Self.maxNameLength) characters at most; more than \(Self.maxNames) files "
                    + "have none.")
        }
        let drop = try drops.begin(title: title, look: look, expected: Int(expected), names: names)
        return .json(status: 201) { $0.field("drop", drop.id) }
    }

    private static let (maxNames, maxNameLength) = (10_000, 255)

    private func close(_ request: RouteRequest) throws -> Response {
        guard drops[request["id"]] != nil else { throw Self.unknown }
        let count = try intake.close(request["id"])
        return .json { $0.field("refused", count) }
    }

    private func openAsAlbum(_ request: RouteRequest) async throws -> Response {
        let name = try await intake.albums.open(request["id"])
        return .json { $0.field("album", name) }
    }

    private static let unknown = ServiceError(404, "unknown-drop", "There is no such drop.")

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
                        json.field("waiting", drop.openCount)
                        json.field("sentence", drop.sentence)
                    }
                }
            }
        }
    }

    private func drop(_ request: RouteRequest) async throws -> Response {
        guard let drop = drops[request["id"]] else { throw Self.unknown }
        let done = drop.files.values.filter { $0.state == .done }
        let photos = try await readers.read { store in
            var photos: [Int: [PhotoSummary]] = [:]
            for file in done { photos[file.index] = try file.photos(in: store) }
            return photos
        }
        return .json { json in
            json.field("drop", drop.id)
            json.field("title", drop.title)
            json.field("look", drop.look)
            json.field("expected", drop.expected)
            json.field("done", drop.count(.done))
            json.field("refused", drop.count(.refused))
            json.field("waiting", drop.openCount)
            json.field("album", drop.album)
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
                        json.field("remedy", file.remedy)
                        json.field("upload", file.upload)
                        json.field("hasPreview", file.path != nil && file.asset != nil)
                        let photos = photos[file.index] ?? []
                        if let photo = photos.first {
                            json.object("photo") { PhotoJSON.write(photo, to: &$0) }
                        } else {
                            json.field("photo", String?.none)
                        }
                        json.array("photos") { json in
                            for photo in photos { json.object { PhotoJSON.write(photo, to: &$0) } }
                        }
                    }
                }
            }
            json.field("sentence", drop.sentence)
        }
    }
}
