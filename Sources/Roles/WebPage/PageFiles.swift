internal import Digest
internal import EmbeddedPage
internal import Storage
public import Web
internal import WebService

/// The page and its files, which are embedded in the program, and Debian's dygraphs, if installed.
public struct PageFiles: Sendable {
    private struct File: Sendable {
        let bytes: [UInt8]
        let tag: String
    }

    private let files: [String: File]
    private static let plots = "/usr/share/javascript/dygraphs"

    /// Reads the files embedded in the program.
    public init() {
        files = EmbeddedPage.files.mapValues { bytes in
            File(bytes: bytes, tag: String(SHA256Value(of: bytes).description.prefix(16)))
        }
    }

    /// Responds to a GET request outside the HTTP interface.
    public func response(to request: Request) -> Response {
        let parts = request.path.split(separator: "/").map(String.init)
        switch parts.first {
        case "page" where parts.count == 2: return file(parts[1], request)
        case "dygraphs" where parts.count == 2: return plotFile(parts[1], request)
        default:
            return request.path.contains(".")
                ? .text("There is no such page.", status: 404) : file("index.html", request)
        }
    }

    /// The description of the interface, in OpenAPI 3.1.
    public func interface(for request: Request) -> Response { file("openapi.json", request) }

    private func file(_ name: String, _ request: Request) -> Response {
        guard let file = files[name] else { return .text("There is no such page.", status: 404) }
        let headers: [Response.Field] = [.init("ETag", "\"\(file.tag)\""), .init("Cache-Control", "no-cache")]
        let type = Self.type(of: name)
        if request.header("if-none-match")?.contains(file.tag) == true {
            return Response(status: 304, contentType: type, body: [], headers: headers)
        }
        return Response(contentType: type, body: file.bytes, headers: headers)
    }

    private func plotFile(_ name: String, _ request: Request) -> Response {
        guard ["dygraph.min.js", "dygraph.css", "dygraph.min.css"].contains(name),
            let root = try? Root(path: Self.plots),
            let file = try? OpenFile(Array(name.utf8), in: root)
        else { return .text("Plots need Debian's package libjs-dygraphs. Install it on the server.", status: 404) }
        return FileResponse(
            file, contentType: Self.type(of: name), tag: "\(file.facts.sizeBytes)-\(file.facts.modifiedNanoseconds)",
            isImmutable: false
        ).response(to: request)
    }

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        case "json": "application/json"
        default: "application/octet-stream"
        }
    }
}
