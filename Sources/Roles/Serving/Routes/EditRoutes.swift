internal import Coordinator
internal import Digest
internal import JSON
internal import Jobs
internal import Library
internal import Manifests
internal import Storage
internal import Telemetry
internal import Web
internal import WebService

/// Edits photos, and moves them along their histories.
struct EditRoutes {
    let editor: PhotoEditor
    let operations: any Operations
    let readers: LibraryReaders
    let folder: String
    let recipes: any RecipeSettings
    let changed: @Sendable (_ order: String?, [PhotoReviser.Change]) -> Void

    var routes: [Route] {
        [
            .get("/v1/edits") { _ in try await list() }, .get("/v1/edits/{id}/preview") { try preview($0) },
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
        let changes = try recipes.request(fields).changes()
        let order = try await editor.begin(Self.ids(document), changes)
        return .json(status: 202) { $0.field("order", order) }
    }

    /// More are not told: they are photos of orders so large that nobody looks at each.
    private static let maxTold = 1000

    /// What is being rendered, and what could not be, the newest first.
    private func list() async throws -> Response {
        let items = try editor.store.records().flatMap { record in record.items.map { (record, $0) } }
        let shown = try await readers.read { store in
            // What shows something else by now was done, or wished otherwise.
            try items.prefix(Self.maxTold).filter { _, item in
                try store.rendition(named: item.shown).flatMap { try store.photos.path(showing: $0.id) } != nil
            }
        }
        return .json { json in
            json.array("edits") { json in
                for (record, item) in shown {
                    json.object { EditJSON.write(item, of: record.id, editor.store, to: &$0) }
                }
            }
        }
    }

    private func preview(_ request: RouteRequest) throws -> Response {
        guard let key = SHA256Value(hex: request["id"]),
            let file = try? OpenFile(EditStore.path(ofPreview: key), in: Root(path: folder))
        else {
            throw ServiceError(
                404, "no-preview", "There is no such preview any more.", remedy: "Look at the photo itself.")
        }
        return FileResponse(file, contentType: "image/jpeg", tag: key.description, isImmutable: true)
            .response(to: request.request)
    }

    private func move(
        _ request: RouteRequest, _ kind: (JSONValue) -> PhotoHistory.Move
    ) async throws -> Response {
        let document = try request.json()
        let ids = try Self.ids(document)
        let move = kind(document)
        let (changes, problems, photos) = try await operations.withLibrary { store in
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

/// A photo that is being developed again, as the pages know it.
enum EditJSON {
    static func write(_ item: EditRecord.Item, of order: String, _ store: EditStore, to json: inout JSONWriter) {
        let hasPreview = item.problem == nil && store.hasPreview(item)
        write(item, of: order, preview: hasPreview ? item.preview : nil, to: &json)
    }

    static func write(_ item: EditRecord.Item, of order: String, preview: RenditionKey?, to json: inout JSONWriter) {
        json.field("order", order)
        json.field("photo", item.shown.description)
        json.field("name", bytes: item.path.name)
        json.field("look", "\(item.edited.recipe.look)")
        json.field("state", item.problem == nil ? "rendering" : "failed")
        json.field("preview", preview.map { "/v1/edits/\($0)/preview" })
        json.field("message", item.problem)
    }

    /// What the pages are told when an edit begins, and when the preview of a photo is there.
    static func event(_ order: String, _ item: EditRecord.Item?) -> String {
        JSONWriter.line { json in
            if let item { write(item, of: order, preview: item.preview, to: &json) } else { json.field("order", order) }
        }
    }
}

extension JSONWriter {
    /// A text as a field; null for none.
    mutating func field(_ name: String, _ value: String?) { field(name, value.map(LogValue.text)) }
}
