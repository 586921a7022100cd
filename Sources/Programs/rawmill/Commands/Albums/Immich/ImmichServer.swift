import HTTPClient
import JSON
import Telemetry

/// An Immich server, by its documented interface (api.immich.app), from version 1.113 on, the first with stacks.
struct ImmichServer {
    /// Why the server refused a request.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
        /// Whether the server refused only the content of this request: others may succeed.
        var isAboutContent = false
    }

    struct Upload {
        /// This client's name for the file.
        let id: String
        let file: FormFile
        /// In ISO 8601.
        let created: String
        let modified: String
        /// The XMP sidecar, if any.
        let sidecar: [UInt8]?
    }

    private let client: HTTPClient
    private let address: String
    private static let device = "rawmill"

    /// - Parameters:
    ///   - address: `https://photos.example`, with or without `/api`.
    ///   - key: one of the user's API keys.
    ///   - authorities: the path of certificates; nil for the system's.
    init(address: String, key: String, authorities: String?) throws {
        var base = address
        while base.hasSuffix("/") { base.removeLast() }
        if !base.hasSuffix("/api") { base += "/api" }
        self.address = base
        client = try HTTPClient(server: base, headers: [("x-api-key", key)], authorities: authorities)
    }

    // MARK: Requests

    /// Throws `Refusal` if no Immich answers, or one that is too old.
    func check() throws {
        let answer = try ask("GET", "/server/version")
        guard let major = answer["major"]?.integer, let minor = answer["minor"]?.integer else {
            throw Refusal(description: "\(address) is not an Immich server. Use the address of its web page.")
        }
        guard (major, minor) >= (1, 113) else {
            throw Refusal(
                description: "\(address): Immich \(major).\(minor) has no stacks yet. Upgrade it to 1.113 or newer.")
        }
    }

    /// The server's ids of the files that it has. `digests` are SHA-1, by this client's ids.
    func known(_ digests: [(id: String, digest: String)]) throws -> [String: String] {
        let assets = digests.map { ["id": $0.id, "checksum": $0.digest] as JSONFields }
        let answer = try ask("POST", "/assets/bulk-upload-check", ["assets": assets])
        var known: [String: String] = [:]
        for result in answer["results"]?.elements ?? [] {
            if let id = result["id"]?.text, let asset = result["assetId"]?.text { known[id] = asset }
        }
        return known
    }

    /// Uploads a file. Returns the server's id of it, even if the server already had it.
    func upload(_ upload: Upload) throws -> String {
        var fields: [FormField] = [
            .text("deviceAssetId", upload.id), .text("deviceId", Self.device), .text("fileCreatedAt", upload.created),
            .text("fileModifiedAt", upload.modified), .text("filename", upload.file.name),
        ]
        fields.append(.file("assetData", upload.file))
        if let sidecar = upload.sidecar {
            fields.append(
                .file(
                    "sidecarData",
                    FormFile(name: "\(upload.file.name).xmp", sizeBytes: UInt64(sidecar.count)) { offset, count in
                        Array(sidecar.dropFirst(Int(clamping: offset)).prefix(count))
                    }))
        }
        guard let id = try ask("POST", "/assets", .form(fields))["id"]?.text else { throw strange("/assets") }
        return id
    }

    /// Stacks files, the first on top. Their old stacks become one with it.
    func stack(_ assets: [String]) throws {
        _ = try ask("POST", "/stacks", ["assetIds": assets])
    }

    /// The id of the user's own album of that name, the oldest if there are several; created if missing.
    func album(_ name: String) throws -> String {
        let albums = try ask("GET", "/albums").elements ?? []
        let named = albums.filter { $0["albumName"]?.text == name }
        let oldest = named.min { $0["createdAt"]?.text ?? "" < $1["createdAt"]?.text ?? "" }
        if let id = oldest?["id"]?.text { return id }
        let answer = try ask("POST", "/albums", ["albumName": name])
        guard let id = answer["id"]?.text else { throw strange("/albums") }
        return id
    }

    func add(_ assets: [String], to album: String) throws {
        guard let results = try ask("PUT", "/albums/\(album)/assets", ["ids": assets]).elements else {
            throw strange("/albums/…/assets")
        }
        let failures = results.compactMap { result -> String? in
            guard result["success"]?.boolean == false, let error = result["error"]?.text else { return nil }
            return error == "duplicate" ? nil : error
        }
        if let failure = failures.first {
            throw Refusal(description: "\(address): \(failures.count) photos were not added to the album: \(failure).")
        }
    }

    // MARK: HTTP

    private func ask(_ method: String, _ path: String, _ fields: JSONFields) throws -> JSONValue {
        try ask(method, path, .json(JSONWriter.bytes(fields)))
    }

    private func ask(_ method: String, _ path: String, _ body: RequestBody = .none) throws -> JSONValue {
        let answer: HTTPAnswer
        do {
            answer = try client.send(method, path, body)
        } catch let error as HTTPClientError {
            throw Refusal(
                description:
                    "\(address): \(error). Check the address and that Immich runs there; uploaded files are not sent again."
            )
        }
        let value = try? JSONValue(parsing: answer.body)
        guard (200..<300).contains(answer.status) else { throw refusal(answer.status, value) }
        guard let value else { throw strange(path) }
        return value
    }

    private func refusal(_ status: Int, _ value: JSONValue?) -> Refusal {
        let said = value?["message"]?.text ?? value?["message"]?.elements?.compactMap(\.text).joined(separator: "; ")
        let words = said.map { ": \($0)" } ?? ""
        let remedy =
            switch status {
            case 300..<400: "The server redirects; use the address that the browser shows."
            case 401: "The key is unknown; create one under Account Settings, API Keys."
            case 403:
                "The key lacks a permission; it needs asset.read, asset.upload, stack.create, album.read, album.create and albumAsset.create."
            case 404: "This is not Immich's interface; use the address of its web page."
            case 400, 415, 422: "Immich refused the content."
            case 413: "A proxy refuses files of this size; raise its limit (nginx: client_max_body_size)."
            case 500...: "Check its log, then run the same command again; uploaded files are not sent again."
            default: "Run the same command again; uploaded files are not sent again."
            }
        return Refusal(
            description: "\(address) answered \(status)\(words). \(remedy)",
            isAboutContent: [400, 413, 415, 422].contains(status))
    }

    private func strange(_ path: String) -> Refusal {
        Refusal(description: "\(address)\(path) gave an unexpected answer. Check that it is an Immich server.")
    }
}
