internal import Coordinator
internal import Digest
internal import Jobs
internal import JSON
internal import LibraryTables
internal import Manifests
internal import PhotoTree
internal import Revisions
internal import Selection
internal import Storage
internal import Telemetry
internal import Web
internal import WebService

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
            throw ServiceError(400, "bad-request", "photos must be a list of 1 to 10000 ids.")
        }
        let ids = texts.compactMap { SHA256Value(hex: $0) }
        guard ids.count == texts.count else { throw ServiceError(400, "bad-request", "photos must be a list of ids.") }
        return ids
    }

    private func edit(_ request: RouteRequest) async throws -> Response {
        let document = try request.json()
        guard case .object(let fields) = document["changes"], !fields.isEmpty else {
            throw ServiceError(400, "bad-request", "changes is missing.")
        }
        let changes = try recipes.request(fields).changes()
        let order = try await editor.begin(Self.ids(document), changes)
        return .json(status: 202, ["order": order])
    }

    /// Edits of more photos are too large to list each photo.
    private static let maxTold = 1000

    /// Photos that are being rendered or that failed, the newest first.
    private func list() async throws -> Response {
        let items = try editor.store.records().flatMap { record in record.items.map { (record, $0) } }
        let shown = try await readers.read { store in
            // A photo that shows another rendition now was rendered, or edited again.
            try items.prefix(Self.maxTold).filter { _, item in
                try store.rendition(named: item.shown).flatMap { try store.photos.path(showing: $0.id) } != nil
            }
        }
        return .json(["edits": shown.map { EditJSON.fields($1, of: $0.id, editor.store) }])
    }

    private func preview(_ request: RouteRequest) throws -> Response {
        guard let key = SHA256Value(hex: request["id"]),
            let file = try? OpenFile(EditStore.path(ofPreview: key), in: Root(path: folder))
        else {
            throw ServiceError(
                404, "no-preview", "The preview no longer exists.", remedy: "Open the photo instead.")
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
        let shown = zip(changes, photos).map { change, photo -> JSONFields in
            var fields: JSONFields = ["before": Self.key(change.before)]
            if let photo { fields += ["after": PhotoJSON.fields(photo)] }
            return fields + ["changed": change.isChange]
        }
        var complaints = problems.map { id -> JSONFields in
            ["photo": id.description, "message": "The photo shows another revision now. Load the page again."]
        }
        for change in changes where !change.isChange && change.before.history.target(of: move) == nil {
            complaints.append(["photo": Self.key(change.before), "message": "It has no such revision."])
        }
        return .json(["changes": shown, "problems": complaints])
    }

    static func key(_ photo: PhotoReviser.Photo) -> String? {
        photo.history[photo.history.current]?.key.description
    }
}

/// The JSON of a photo that is being edited.
enum EditJSON {
    static func fields(_ item: EditRecord.Item, of order: String, _ store: EditStore) -> JSONFields {
        let hasPreview = item.problem == nil && store.hasPreview(item)
        return fields(item, of: order, preview: hasPreview ? item.preview : nil)
    }

    private static func fields(_ item: EditRecord.Item, of order: String, preview: RenditionKey?) -> JSONFields {
        [
            "order": order, "photo": item.shown.description,
            "name": String(decoding: item.path.name, as: UTF8.self), "look": "\(item.edited.recipe.look)",
            "state": item.problem == nil ? "rendering" : "failed",
            "preview": preview.map { "/v1/edits/\($0)/preview" }, "message": item.problem,
        ]
    }

    /// The event of a starting edit, and of a photo's preview.
    static func event(_ order: String, _ item: EditRecord.Item?) -> String {
        JSONWriter.line(item.map { fields($0, of: order, preview: $0.preview) } ?? ["order": order])
    }
}
