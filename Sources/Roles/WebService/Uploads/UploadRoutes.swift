internal import Storage
internal import Web

/// Resumable uploads by the protocol tus 1.0.0 (tus.io, 2016): core, creation, and termination.
public struct UploadRoutes: Sendable {
    private let store: UploadStore
    private let path: String
    private let onCreate: @Sendable (Upload) throws -> Void
    private let onComplete: @Sendable (Upload) throws -> Void
    private let onRemove: @Sendable (Upload) -> Void

    /// - Parameters:
    ///   - onCreate: receives each new upload, and may refuse it.
    ///   - onComplete: receives a complete file before its client gets the response.
    ///   - onRemove: receives an upload that its client cancelled.
    public init(
        _ store: UploadStore, at path: String, onCreate: @escaping @Sendable (Upload) throws -> Void,
        onComplete: @escaping @Sendable (Upload) throws -> Void, onRemove: @escaping @Sendable (Upload) -> Void
    ) {
        self.store = store
        self.path = path
        self.onCreate = onCreate
        self.onComplete = onComplete
        self.onRemove = onRemove
    }

    /// Takes the uploads that completed in an earlier process.
    public func takeLeftovers() {
        // Retried at the client's next request.
        for upload in store.all { try? store.take(upload, onComplete) }
    }

    /// The routes of the protocol.
    public var routes: [Route] {
        [
            Route(
                method: "OPTIONS", pattern: path, access: .viewer, action: .answer(maxBodyBytes: 0) { _ in options() }),
            Route(
                method: "POST", pattern: path, access: .operator, action: .answer(maxBodyBytes: 0) { try create($0) }),
            Route(
                method: "HEAD", pattern: "\(path)/{id}", access: .operator,
                action: .answer(maxBodyBytes: 0) { try offset($0) }),
            .receive("PATCH", "\(path)/{id}") { try append($0) },
            Route(
                method: "DELETE", pattern: "\(path)/{id}", access: .operator,
                action: .answer(maxBodyBytes: 0) { try remove($0) }),
        ]
    }

    static let version = Response.Field("Tus-Resumable", "1.0.0")

    static func answer(_ status: Int, _ headers: [Response.Field] = []) -> Response {
        Response(status: status, contentType: "text/plain; charset=utf-8", body: [], headers: [version] + headers)
    }

    private func options() -> Response {
        Self.answer(204, [.init("Tus-Version", "1.0.0"), .init("Tus-Extension", "creation,termination")])
    }

    private static func checkVersion(_ request: RouteRequest) throws(ServiceError) {
        guard request.request.header("tus-resumable") == "1.0.0" else {
            throw ServiceError(412, "tus-version", "Uploads use tus 1.0.0. Send Tus-Resumable: 1.0.0.")
        }
    }

    private func create(_ request: RouteRequest) throws -> Response {
        try Self.checkVersion(request)
        guard let length = request.request.header("upload-length").flatMap({ UInt64($0) }) else {
            throw ServiceError(400, "no-length", "Upload-Length is missing or not a number.")
        }
        let metadata = try Self.metadata(request.request.header("upload-metadata") ?? "")
        let upload = try store.create(lengthBytes: length, metadata: metadata)
        do { try onCreate(upload) } catch {
            try store.remove(upload.id)
            throw error
        }
        try store.take(upload, onComplete)
        return Self.answer(201, [.init("Location", "\(path)/\(upload.id)"), .init("Upload-Offset", "0")])
    }

    /// Parses `filename d29ybGQucmF3,index MA==`.
    static func metadata(_ text: String) throws(ServiceError) -> [String: String] {
        var fields: [String: String] = [:]
        for pair in text.split(separator: ",") {
            let parts = pair.split(separator: " ")
            guard let name = parts.first, parts.count <= 2,
                let value = parts.count == 2 ? Base64.decoded(parts[1]) : [],
                let text = String(validating: value, as: UTF8.self)
            else {
                throw ServiceError(400, "bad-metadata", "Upload-Metadata is not a list of names and values in Base64.")
            }
            fields[String(name)] = text
        }
        return fields
    }

    private func upload(_ request: RouteRequest) throws(ServiceError) -> Upload {
        try Self.checkVersion(request)
        guard let upload = store.upload(request["id"]) ?? store.finishedUpload(request["id"]) else {
            throw ServiceError(404, "unknown-upload", "There is no such upload.", remedy: "Start it again.")
        }
        return upload
    }

    private func offset(_ request: RouteRequest) throws -> Response {
        let upload = try upload(request)
        try store.take(upload, onComplete)
        return Self.answer(
            200, [.init("Upload-Offset", "\(upload.offset)"), .init("Upload-Length", "\(upload.lengthBytes)")])
    }

    private func remove(_ request: RouteRequest) throws -> Response {
        let upload = try upload(request)
        let isOpen = store.upload(upload.id) != nil
        try store.remove(upload.id)
        // Files already taken are kept.
        if isOpen { onRemove(upload) }
        return Self.answer(204)
    }

    private func append(_ request: RouteRequest) throws -> any BodyReceiver {
        let upload = try upload(request)
        guard request.request.header("content-type") == "application/offset+octet-stream" else {
            throw ServiceError(415, "content-type", "The content type must be application/offset+octet-stream.")
        }
        guard let offset = request.request.header("upload-offset").flatMap({ UInt64($0) }) else {
            throw ServiceError(400, "no-offset", "Upload-Offset is missing or not a number.")
        }
        guard store.upload(upload.id) == nil else {
            return UploadBody(try store.beginWriting(upload.id, at: offset), store, onComplete)
        }
        guard offset == upload.lengthBytes else { throw UploadStore.wrongOffset(offset, of: upload) }
        return FinishedBody(lengthBytes: upload.lengthBytes)
    }
}

/// A part after the last one: must be empty, and gets the last one's response.
private final class FinishedBody: BodyReceiver {
    private let lengthBytes: UInt64

    init(lengthBytes: UInt64) { self.lengthBytes = lengthBytes }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Response? {
        bytes.count == 0 ? nil : UploadBody.tooLong.response
    }

    func response() -> Response { UploadBody.arrived(lengthBytes) }

    func abandon() {}
}

/// Writes one part of a file as it arrives. Received bytes are kept when the client disconnects.
private final class UploadBody: BodyReceiver {
    private let writer: UploadWriter
    private let store: UploadStore
    private let onComplete: @Sendable (Upload) throws -> Void
    private var received: UInt64

    init(_ writer: UploadWriter, _ store: UploadStore, _ onComplete: @escaping @Sendable (Upload) throws -> Void) {
        self.writer = writer
        received = writer.upload.offset
        self.store = store
        self.onComplete = onComplete
    }

    static let tooLong = ServiceError(413, "too-long", "The part exceeds Upload-Length.")

    static func arrived(_ offset: UInt64) -> Response {
        UploadRoutes.answer(204, [.init("Upload-Offset", "\(offset)")])
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Response? {
        guard UInt64(bytes.count) <= writer.upload.lengthBytes - received else {
            return ended(Self.tooLong)
        }
        do {
            try unsafe writer.write(bytes)
            received += UInt64(bytes.count)
            return nil
        } catch {
            return ended(error)
        }
    }

    func response() -> Response {
        do {
            try writer.sync()
            store.endWriting(writer.upload.id, at: received)
            if let upload = store.upload(writer.upload.id) { try store.take(upload, onComplete) }
            return Self.arrived(received)
        } catch {
            return Self.response(error)
        }
    }

    func abandon() {
        try? writer.sync()
        store.endWriting(writer.upload.id, at: writer.offset)
        if let upload = store.upload(writer.upload.id) { try? store.take(upload, onComplete) }
    }

    private func ended(_ error: any Error) -> Response {
        abandon()
        return Self.response(error)
    }

    private static func response(_ error: any Error) -> Response {
        if let error = error as? ServiceError { return error.response }
        guard let error = error as? StorageError else {
            return ServiceError(500, "internal", "\(error)").response
        }
        let isFull = error.kind == .diskFull
        return ServiceError(
            isFull ? 507 : 503, isFull ? "disk-full" : "storage", "The file cannot be stored: \(error.cause).",
            remedy: isFull
                ? "Free some space; the upload then continues."
                : "Check the library's disk and its permissions; the upload then continues.",
            retryAfterSeconds: 10
        ).response
    }
}
