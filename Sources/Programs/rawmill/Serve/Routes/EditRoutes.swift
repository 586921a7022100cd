import Coordinator
import Digest
import JSON
import Jobs
import Library
import Manifests
import Telemetry
import Web
import WebService

/// Edits photos, and moves them along their histories.
struct EditRoutes {
    let editor: PhotoEditor
    let works: any Works
    let readers: LibraryReaders
    let folder: String
    let changed: @Sendable (_ order: String?, [PhotoReviser.Change]) -> Void

    var routes: [Route] {
        [
            .post("/v1/photos/edit") { try await edit($0) },
            .post("/v1/photos/undo") { request in try await move(request) { _ in .undo } },
            .post("/v1/photos/redo") { request in try await move(request) { _ in .redo } },
            .post("/v1/photos/revert") { request in
                try await move(request) { document in
                    document["to"]?.integer.map { .to(Int(clamping: $0)) } ?? .original
                }
            },
        ]
    }

    private static func ids(_ document: JSONValue) throws(ServiceError) -> [SHA256Value] {
        guard let texts = document["photos"]?.texts, !texts.isEmpty, texts.count <= 10_000 else {
            throw ServiceError(400, "bad-request", "photos is missing, or no list of 1 to 10000 ids.")
        }
        let ids = texts.compactMap { SHA256Value(hex: $0) }
        guard ids.count == texts.count else { throw ServiceError(400, "bad-request", "photos is a list of ids.") }
        return ids
    }

    private func edit(_ request: RouteRequest) async throws -> Response {
        let document = try request.json()
        guard case .object(let fields) = document["changes"], !fields.isEmpty else {
            throw ServiceError(400, "bad-request", "changes is missing: what is to be different?")
        }
        let changes = try RecipeQuery(fields, library: folder).changes()
        let order = try await editor.begin(Self.ids(document), changes)
        return .json(status: 202) { $0.field("order", order) }
    }

    private func move(
        _ request: RouteRequest, _ kind: (JSONValue) -> PhotoHistory.Move
    ) async throws -> Response {
        let document = try request.json()
        let ids = try Self.ids(document)
        let move = kind(document)
        let (changes, problems, photos) = try await works.withLibrary { store in
            let reviser = PhotoReviser(store: store)
            let (found, missing) = try PhotoEditor.photos(ids, store, reviser)
            let changes = try reviser.move(found, move)
            let photos = try changes.map { try store.photos.photo(at: $0.after.path) }
            return (changes, missing, photos)
        }
        changed(nil, changes)
        return .json { json in
            json.array("changes") { json in
                for (change, photo) in zip(changes, photos) {
                    json.object { json in
                        json.field("before", Self.key(change.before))
                        if let photo { json.object("after") { PhotoJSON.write(photo, to: &$0) } }
                        json.field("changed", change.isChange)
                    }
                }
            }
            json.array("problems") { json in
                for id in problems {
                    json.object { json in
                        json.field("photo", id.description)
                        json.field("message", "The photo shows another revision now. Load the page again.")
                    }
                }
                for change in changes where !change.isChange && change.before.history.target(of: move) == nil {
                    json.object { json in
                        json.field("photo", Self.key(change.before))
                        json.field("message", "It has no such revision.")
                    }
                }
            }
        }
    }

    static func key(_ photo: PhotoReviser.Photo) -> String? {
        photo.history[photo.history.current]?.key.description
    }
}

extension JSONWriter {
    /// A text as a field; null for none.
    mutating func field(_ name: String, _ value: String?) { field(name, value.map(LogValue.text)) }
}
