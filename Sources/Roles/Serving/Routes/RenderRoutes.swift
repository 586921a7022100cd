internal import Digest
internal import Jobs
internal import LibraryTables
internal import Manifests
internal import PictureFormat
internal import Storage
internal import Telemetry
internal import Web
internal import WebService
internal import Worker

/// Renders while the client waits: a RAW that it uploads, or a photo of the library with other settings.
struct RenderRoutes {
    let renderer: DirectRenderer
    let readers: LibraryReaders
    let raws: RawFileLocator
    let root: Root
    let recipes: any RecipeSettings

    var routes: [Route] {
        [
            .receive("POST", "/v1/render", .operator) { request in
                let query = try recipes.request(request.request.query)
                return try RenderBody(self, query, request.request)
            },
            .get("/v1/objects/{id}/try") { try await tryOut($0) },
        ]
    }

    private func tryOut(_ request: RouteRequest) async throws -> Response {
        let record = try await ObjectRoutes.record(request["id"], readers)
        let edge = try request.number("edge", in: 64...4096, else: 1024)
        guard case .recipe(var recipe) = record.recipe.adjustment.reading else {
            throw ServiceError(409, "final", "The photo was edited by a program that this Rawmill does not know.")
        }
        var changes = try recipes.request(request.request.query).changes()
        if !changes.isEmpty {
            try await changes.readLook(for: recipe)
            try changes.store(in: root)
            recipe = try changes.applied(to: recipe, in: nil, recording: true)
        }
        recipe.longEdgePixels = UInt32(edge)
        (recipe.format, recipe.quality, recipe.hasGainMap) = (.jpeg, 88, false)
        let stamp = try await raws.stamp(record, readers)
        renderer.use(try await raws.paths())
        let photo = try await render(Source(raw: stamp, photoBase: record.photoBase), recipe)
        return FileResponse(
            photo.file, contentType: "image/jpeg", tag: photo.rendition.photo.digest.description, isImmutable: false
        ).response(to: request.request)
    }

    func render(_ source: Source, _ recipe: Recipe) async throws(ServiceError) -> DirectRenderer.RenderedPhoto {
        do throws(DirectRenderer.Problem) { return try await renderer.render(source, recipe) } catch {
            throw Self.explained(error, of: source.raw.file)
        }
    }

    static func explained(_ problem: DirectRenderer.Problem, of file: FileReference) -> ServiceError {
        switch problem {
        case .tooMany(let waiting): return tooMany(waiting)
        case .failed(let failure):
            let isFileAtFault = ![.storageUnavailable, .diskFull, .internalError].contains(failure.reason)
            return ServiceError(
                isFileAtFault ? 422 : 503, failure.reason.rawValue, failure.message(about: file),
                remedy: failure.reason.remedy)
        }
    }

    static func tooMany(_ waiting: Int) -> ServiceError {
        ServiceError(
            429, "busy", "The server is busy: \(waiting) requests are waiting.", retryAfterSeconds: max(1, waiting / 8))
    }
}

/// A RAW that a client uploads to render. It is removed afterwards.
private final class RenderBody: BodyReceiver {
    private let routes: RenderRoutes
    private let query: any RecipeRequest
    private let request: Request
    private let path: [UInt8]
    private let file: GrowingFile
    private var sizeBytes: UInt64 = 0
    private static let maxBytes: UInt64 = 2 << 30

    init(_ routes: RenderRoutes, _ query: any RecipeRequest, _ request: Request) throws {
        if routes.renderer.isFull { throw RenderRoutes.tooMany(routes.renderer.waitingCount) }
        self.routes = routes
        self.query = query
        self.request = request
        let folder = Array(".rawmill/render".utf8)
        try routes.root.createFolders(folder)
        path = folder + Array("/\(BatchID.random()).raw".utf8)
        file = try GrowingFile(path, in: routes.root)
    }

    deinit { _ = try? routes.root.remove(path) }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Response? {
        guard sizeBytes + UInt64(bytes.count) <= Self.maxBytes else {
            return ServiceError(413, "too-large", "The RAW is larger than \(NumberText.bytes(Self.maxBytes)).").response
        }
        do {
            try unsafe file.append(bytes)
            sizeBytes += UInt64(bytes.count)
            return nil
        } catch {
            return ServedErrors.storage(error, "The RAW cannot be kept: \(error.cause).").response
        }
    }

    func response() -> Response {
        guard sizeBytes > 0 else {
            return ServiceError(400, "no-raw", "The request has no RAW.", remedy: "Send the RAW's bytes as the body.")
                .response
        }
        let (routes, query, path, request) = (routes, query, path, request)
        let result = Blocking.result {
            let facts = try routes.root.facts(of: path)
            guard let place = RelativePath(bytes: path) else {
                throw ServiceError(500, "internal", "The path is not valid.")
            }
            let stamp = FileStamp(
                file: FileReference(root: .library, path: place), sizeBytes: facts.sizeBytes,
                modifiedNanoseconds: facts.modifiedNanoseconds)
            let recipe = try await query.recipe()
            let photo = try await routes.render(Source(raw: stamp, photoBase: Array("photo".utf8)), recipe)
            var response = FileResponse(
                photo.file, contentType: recipe.format.mediaType, tag: photo.rendition.photo.digest.description,
                isImmutable: false
            ).response(to: Request(path: request.path))
            let timings = photo.timings.map { "\($0.stage);dur=\(Double($0.microseconds) / 1000)" }
            response.headers.append(.init("Server-Timing", timings.joined(separator: ", ")))
            if let degraded = photo.rendition.degraded {
                response.headers.append(.init("X-Rawmill-Degraded", String(degraded.filter(\.isASCII))))
            }
            return response
        }
        switch result {
        case .success(let response): return response
        case .failure(let error): return ((error as? ServiceError) ?? ServedErrors.explained(error)).response
        }
    }

    func abandon() {}
}
