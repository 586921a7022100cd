internal import Coordinator
internal import Digest
internal import Jobs
internal import LibraryTables
internal import Manifests
internal import PictureFormat
internal import Selection
internal import Storage
internal import Web
internal import WebService
internal import Worker

/// Serves the files of renditions: the photo, its preview, and the RAW.
struct ObjectRoutes {
    let folder: String
    let readers: LibraryReaders
    let raws: RawFileLocator
    let cameraPictures: CameraPictures
    let renderer: DirectRenderer

    var routes: [Route] {
        [
            .get("/v1/objects/{id}/preview") { try await preview($0) },
            .get("/v1/objects/{id}/photo") { try await photo($0) },
            .get("/v1/objects/{id}/raw") { try await raw($0) },
            .get("/v1/objects/{id}/camera") { try await camera($0) },
        ]
    }

    private func preview(_ request: RouteRequest) async throws -> Response {
        let record = try await Self.record(request["id"], readers)
        guard let preview = record.preview else {
            throw ServiceError(
                404, "no-preview", "Its preview is missing.",
                remedy: "`rawmill library verify --repair` creates it again.")
        }
        return try file(
            LibraryLayout.preview(record.key).bytes, "image/jpeg", preview.digest, savedAs: nil, request.request)
    }

    private func photo(_ request: RouteRequest) async throws -> Response {
        let record = try await Self.record(request["id"], readers)
        let name =
            request.request["download"] == nil
            ? nil
            : String(decoding: record.photoBase, as: UTF8.self)
                + ".\(record.recipe.variant).\(record.key.format.fileExtension)"
        return try file(
            LibraryLayout.photo(record.key).bytes, record.key.format.mediaType, record.photo.digest, savedAs: name,
            request.request)
    }

    private func raw(_ request: RouteRequest) async throws -> Response {
        let record = try await Self.record(request["id"], readers)
        let (file, name) = try await raws.open(record, readers)
        return FileResponse(
            file, contentType: "application/octet-stream", tag: record.asset.description,
            savedAs: String(decoding: name, as: UTF8.self), isImmutable: true
        ).response(to: request.request)
    }

    /// The camera's picture: the JPEG beside the RAW, otherwise the largest one in it.
    private func camera(_ request: RouteRequest) async throws -> Response {
        let record = try await Self.record(request["id"], readers)
        if let file = try await raws.cameraPhoto(of: record) {
            let tag = "\(file.facts.sizeBytes)-\(file.facts.modifiedNanoseconds)"
            return FileResponse(file, contentType: "image/jpeg", tag: tag, isImmutable: false).response(
                to: request.request)
        }
        let stamp = try await raws.stamp(record, readers)
        renderer.use(try await raws.paths())
        let picture = try await cameraPictures.picture(.large, of: stamp, asset: record.asset)
        return FileResponse(
            picture, contentType: "image/jpeg", tag: "camera-\(record.asset)", isImmutable: false
        ).response(to: request.request)
    }

    private func file(
        _ path: [UInt8], _ type: String, _ digest: SHA256Value, savedAs name: String?, _ request: Request
    ) throws -> Response {
        let file: OpenFile
        do throws(StorageError) { file = try OpenFile(path, in: Root(path: folder)) } catch {
            throw ServiceError(
                404, "file-missing", "The photo's file is missing: \(error.cause).",
                remedy: "`rawmill library verify --repair` renders it again.")
        }
        return FileResponse(file, contentType: type, tag: digest.description, savedAs: name, isImmutable: true)
            .response(to: request)
    }

    /// The rendition with an id. Throws `ServiceError` with status 404 if there is none.
    static func record(_ id: String, _ readers: LibraryReaders) async throws -> RenditionRecord {
        guard let digest = SHA256Value(hex: id),
            let record = try await readers.read({ try $0.rendition(named: digest) })
        else {
            throw ServiceError(404, "unknown-photo", "The photo is not in the library.", remedy: "Load the page again.")
        }
        return record
    }
}

extension PhotoFormat {
    var mediaType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .tiff: "image/tiff"
        case .png: "image/png"
        case .avif: "image/avif"
        case .jxl: "image/jxl"
        }
    }
}
