internal import Clock
internal import Digest
internal import Jobs
internal import JSON
internal import Manifests
internal import PictureFormat
internal import Selection
internal import Storage
internal import Telemetry
internal import Web
internal import WebService

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
            throw ServiceError(400, "bad-request", "files must be the number of files, from 1 to 1000000.")
        }
        let look = document["look"]?.text ?? "neutral"
        // Refuses an invalid look before the upload.
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
                "names must have one name for each file, with at most \(Self.maxNameLength) characters. It must be missing for "
                    + "more than \(Self.maxNames) files.")
        }
        let drop = try drops.begin(title: title, look: look, expected: Int(expected), names: names)
        return .json(status: 201, ["drop": drop.id])
    }

    private static let (maxNames, maxNameLength) = (10_000, 255)

    private func close(_ request: RouteRequest) throws -> Response {
        guard drops[request["id"]] != nil else { throw Self.unknown }
        let count = try intake.close(request["id"])
        return .json(["refused": count])
    }

    private func openAsAlbum(_ request: RouteRequest) async throws -> Response {
        let name = try await intake.albums.open(request["id"])
        return .json(["album": name])
    }

    private static let unknown = ServiceError(404, "unknown-drop", "The drop does not exist.")

    /// The camera's thumbnail in a dropped RAW, shown until its photo is rendered.
    private func preview(_ request: RouteRequest) async throws -> Response {
        guard let file = drops.file(uploadedAs: request["id"]), let path = file.path,
            let place = RelativePath(bytes: Array(path.utf8)),
            let asset = file.asset.flatMap({ SHA256Value(hex: $0) }),
            let facts = try root.factsIfPresent(of: place.bytes)
        else { throw ServiceError(404, "unknown-upload", "The RAW does not exist, or its upload is not complete.") }
        let stamp = FileStamp(
            file: FileReference(root: .library, path: place), sizeBytes: facts.sizeBytes,
            modifiedNanoseconds: facts.modifiedNanoseconds)
        let picture = try await cameraPictures.picture(.small, of: stamp, asset: asset)
        return FileResponse(
            picture, contentType: "image/jpeg", tag: "small-\(asset)", isImmutable: true
        ).response(to: request.request)
    }

    private func list() -> Response {
        let list = drops.all.map { drop -> JSONFields in
            [
                "drop": drop.id, "title": drop.title,
                "created": WallClock.text(milliseconds: drop.createdMilliseconds), "expected": drop.expected,
                "done": drop.count(.done), "refused": drop.count(.refused), "waiting": drop.openCount,
                "sentence": drop.sentence,
            ]
        }
        return .json(["drops": list])
    }

    private func drop(_ request: RouteRequest) async throws -> Response {
        guard let drop = drops[request["id"]] else { throw Self.unknown }
        let done = drop.files.values.filter { $0.state == .done }
        let photos = try await readers.read { store in
            var photos: [Int: [PhotoSummary]] = [:]
            for file in done { photos[file.index] = try file.photos(in: store) }
            return photos
        }
        return .json([
            "drop": drop.id, "title": drop.title, "look": drop.look, "expected": drop.expected,
            "done": drop.count(.done), "refused": drop.count(.refused), "waiting": drop.openCount,
            "album": drop.album, "files": drop.ordered.map { fields($0, photos[$0.index] ?? []) },
            "sentence": drop.sentence,
        ])
    }

    private func fields(_ file: DroppedFile, _ photos: [PhotoSummary]) -> JSONFields {
        let shown = photos.map(PhotoJSON.fields)
        return [
            "index": file.index, "name": file.name, "state": file.state.rawValue, "bytes": file.bytes,
            "received": file.state == .uploading ? uploads.upload(file.upload)?.offset ?? 0 : file.bytes,
            "path": file.folder, "reason": file.reason,
            "title": file.reason.map(FailureRoutes.title), "message": file.message, "remedy": file.remedy,
            "upload": file.upload, "hasPreview": file.path != nil && file.asset != nil, "photo": shown.first,
            "photos": shown,
        ]
    }
}
