internal import Albums
internal import Digest
internal import Jobs
internal import PhotoTree
internal import Selection
internal import Telemetry
internal import Web
internal import WebService

struct GalleryRoutes {
    let readers: LibraryReaders
    let index: GalleryIndex
    let facetCache: FacetCache

    var routes: [Route] {
        [
            .get("/v1/photos") { try await photos($0) }, .get("/v1/photos/count") { try await count($0) },
            .get("/v1/facets") { _ in try await facets() },
        ]
    }

    private func photos(_ request: RouteRequest) async throws -> Response {
        let filter = try GalleryFilter(request.request)
        let offset = try request.number("offset", in: 0...1_000_000_000, else: 0)
        let limit = try request.number("limit", in: 1...1000, else: 200)
        let photos = try await readers.read { store in
            if let album = filter.album {
                return try Self.photos(of: album, filter, offset, limit, store).map { PhotoBurst(front: $0, count: 1) }
            }
            return try self.photos(filter, offset, limit, store)
        }
        let shown = photos.map { PhotoJSON.fields($0.front) + ($0.count > 1 ? ["burst": $0.count] : [:]) }
        return .json(["offset": offset, "photos": shown])
    }

    private func photos(
        _ filter: GalleryFilter, _ offset: Int, _ limit: Int, _ store: LibraryStore
    ) throws -> [PhotoBurst] {
        let start = try index.start(of: filter, offset: offset, in: store)
        var photos: [PhotoBurst] = []
        if filter.isByBurst {
            try store.photos.eachBurst(filter.photos, after: start.path, limit: limit + start.skipped) {
                photos.append($0)
            }
        } else {
            try store.photos.each(filter.photos, after: start.path, limit: limit + start.skipped) {
                photos.append(PhotoBurst(front: $0, count: 1))
            }
        }
        return Array(photos.dropFirst(start.skipped))
    }

    private static func photos(
        of album: String, _ filter: GalleryFilter, _ offset: Int, _ limit: Int, _ store: LibraryStore
    ) throws -> [PhotoSummary] {
        Array(try store.albums.photos(of: album, filter.photos).map(\.summary).dropFirst(offset).prefix(limit))
    }

    private func count(_ request: RouteRequest) async throws -> Response {
        let filter = try GalleryFilter(request.request)
        let count = try await readers.readLong { store in
            if let album = filter.album { return try store.albums.photos(of: album, filter.photos).count }
            return try index.count(of: filter, in: store)
        }
        return .json(["count": count])
    }

    private func facets() async throws -> Response {
        let facets = try await facetCache.facets()
        let albums = try await readers.read { try $0.albums.all() }
        func counts(_ entries: [PhotoFacets.Entry]) -> [JSONFields] {
            entries.map { ["value": $0.value, "count": $0.count] }
        }
        return .json([
            "looks": counts(facets.looks), "cameras": counts(facets.cameras), "years": counts(facets.years),
            "ratings": counts(facets.ratings), "keywords": counts(facets.keywords),
            "albums": AlbumRoutes.fields(albums),
        ])
    }
}

struct GalleryFilter: Hashable, Sendable {
    let photos: PhotoFilter
    let album: String?
    /// One photo for each burst. Ignored for an album, which is in the user's order.
    let isByBurst: Bool

    /// Reads a query. Throws `ServiceError` for an invalid condition or date.
    init(_ request: Request) throws(ServiceError) {
        var conditions: [String] = []
        if let text = request["where"], !text.isEmpty {
            _ = try Self.selection(text)
            conditions.append("(\(text))")
        }
        if let camera = request["camera"], !camera.isEmpty { conditions.append("camera = \(Self.quoted(camera))") }
        switch request["state"] {
        case nil, "": break
        case "good": conditions.append("degraded is null")
        case "degraded": conditions.append("degraded is not null")
        case let state?: throw ServiceError(400, "bad-parameter", "state is good or degraded, not \(state).")
        }
        if let rating = request["rating"], !rating.isEmpty {
            guard let stars = Int(rating), (-1...5).contains(stars) else {
                throw ServiceError(400, "bad-parameter", "rating is the least number of stars, from -1 to 5.")
            }
            conditions.append("rating >= \(stars)")
        }
        if let keyword = request["keyword"], !keyword.isEmpty {
            conditions.append("keyword = \(Self.quoted(keyword))")
        }
        switch request["bursts"] {
        case nil, "", "apart": isByBurst = false
        case "together": isByBurst = true
        case let bursts?:
            throw ServiceError(400, "bad-parameter", "bursts is together or apart, not \(bursts).")
        }
        let taken = request["taken"].flatMap { $0.isEmpty ? nil : $0 }
        let look = request["look"].flatMap { $0.isEmpty ? nil : String($0.prefix { $0 != "@" }) }
        guard var filter = PhotoFilter(folder: nil, look: look, date: taken) else {
            throw ServiceError(400, "bad-parameter", "taken is a year, a month or a day, like 2024-05-01.")
        }
        if !conditions.isEmpty { filter.selection = try Self.selection(conditions.joined(separator: " and ")) }
        photos = filter
        album = request["album"].flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func selection(_ text: String) throws(ServiceError) -> Selection {
        do { return try Selection(text) } catch {
            throw ServiceError(400, "bad-condition", error.message, column: error.column)
        }
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }
}
