internal import Albums
internal import Archives
internal import Jobs
internal import JSON
internal import LibraryTables
internal import PhotoTree
internal import Runs
internal import Storage
internal import Telemetry
internal import Web
internal import WebService

struct AlbumRoutes {
    let operations: any Operations
    let readers: LibraryReaders
    let folder: String
    let log: Logger
    let changed: @Sendable () -> Void

    var routes: [Route] {
        [
            .get("/v1/albums") { _ in try await albums() },
            .post("/v1/albums") { try await change($0) { try $0.create($1) } },
            .get("/v1/albums/archive") { try await archive($0) },
            .post("/v1/albums/rename") { request in
                let to = try Self.text("to", of: request.json())
                return try await change(request) { try $0.rename($1, to: to) }
            },
            .post("/v1/albums/delete") { try await change($0) { try $0.delete($1) } },
            .post("/v1/albums/add") { request in
                let photos = try await members(request)
                return try await change(request) { try $0.add(photos, to: $1) }
            },
            .post("/v1/albums/remove") { request in
                let photos = try await members(request)
                return try await change(request) { try $0.remove(photos, from: $1) }
            },
            .post("/v1/albums/move") { request in
                let photos = try await members(request)
                let before: AlbumMember?
                if let id = try request.json()["before"]?.text {
                    let record = try await ObjectRoutes.record(id, readers)
                    before = AlbumMember(asset: record.asset, frame: record.frame)
                } else {
                    before = nil
                }
                return try await change(request) { try $0.move(photos, in: $1, to: before.map { .before($0) } ?? .end) }
            },
        ]
    }

    static func fields(_ albums: [Albums.Summary]) -> [JSONFields] {
        albums.map { ["name": $0.name, "count": $0.count] }
    }

    private func albums() async throws -> Response {
        let albums = try await readers.read { try $0.albums.all() }
        return .json(["albums": Self.fields(albums)])
    }

    /// The album's photos, optionally with RAWs (`originals=true`) and sidecars (`sidecars=true`), in the form of
    /// `rawmill album export`.
    private func archive(_ request: RouteRequest) async throws -> Response {
        guard let name = request.request["name"], !name.isEmpty else {
            throw ServiceError(400, "bad-parameter", "name is missing: which album?")
        }
        guard let format = ArchiveFormat(rawValue: request.request["format"] ?? "zip") else {
            throw ServiceError(400, "bad-parameter", "format is zip or tar.")
        }
        let extras = AlbumExtras(
            originals: request.request["originals"] == "true", sidecars: request.request["sidecars"] == "true")
        let renditions = try await readers.read { try $0.albums.renditions(of: name) }
        let roots = try await SourceRoots.existing(library: folder)
        let (folder, log) = (folder, log)
        let stream = ProducedStream(onError: { error in
            log.warning(.requestFailed, [.path: "/v1/albums/archive", .message: "\(error)"])
        }) { sink in
            var export = AlbumExport(
                album: name, store: try LibraryStore(folder: folder, mode: .read), roots: roots, extras: extras)
            let archive = try AlbumArchive(of: name, format, sink: sink)
            let report = try export.write(renditions, to: archive)
            try archive.finish()
            for problem in report.problems {
                log.warning(
                    .requestFailed,
                    [.path: "\(problem.file)", .message: "left out of an archive: \(problem.reason)"])
            }
        }
        let file = "\(ArchiveNames.safe(name)).\(format.rawValue)"
        return Response(
            contentType: format == .zip ? "application/zip" : "application/x-tar", content: .stream(stream),
            headers: [.init("Content-Disposition", FileResponse.attachment(file))])
    }

    private func change(
        _ request: RouteRequest, _ body: @escaping @Sendable (Albums, String) throws -> Void
    ) async throws -> Response {
        let name = try Self.text("name", of: request.json())
        let albums = try await operations.withLibrary { store in
            do { try body(store.albums, name) } catch let error as AlbumError {
                if case .unknown = error { throw error }
                throw ServiceError(409, "album", "\(error)")
            }
            return try store.albums.all()
        }
        changed()
        return .json(["albums": Self.fields(albums)])
    }

    static func text(_ name: String, of document: JSONValue) throws(ServiceError) -> String {
        guard let text = document[name]?.text, !text.isEmpty else {
            throw ServiceError(400, "bad-request", "\(name) must be a text.")
        }
        return text
    }

    private func members(_ request: RouteRequest) async throws -> [AlbumMember] {
        guard let ids = try request.json()["photos"]?.texts else {
            throw ServiceError(400, "bad-request", "photos must be a list of ids.")
        }
        var members: [AlbumMember] = []
        for id in ids {
            let record = try await ObjectRoutes.record(id, readers)
            members.append(AlbumMember(asset: record.asset, frame: record.frame))
        }
        return members
    }
}
