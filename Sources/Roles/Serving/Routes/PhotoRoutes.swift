internal import Albums
internal import Digest
internal import Jobs
internal import LibraryTables
internal import Manifests
internal import PhotoTree
internal import PictureFormat
internal import Selection
internal import Storage
internal import Telemetry
internal import Web
internal import WebService

struct PhotoRoutes {
    let readers: LibraryReaders
    let raws: RawFileLocator
    let edits: EditStore

    var routes: [Route] { [.get("/v1/photos/{id}") { try await photo($0) }] }

    private func photo(_ request: RouteRequest) async throws -> Response {
        let record = try await ObjectRoutes.record(request["id"], readers)
        let found = try await readers.read { store in
            let details = try store.assets.details(of: record.asset).first { $0.frame == record.frame }
            let albums = try store.albums.all().map(\.name).filter { name in
                try store.albums.members(of: name).contains(AlbumMember(asset: record.asset, frame: record.frame))
            }
            var shown: [PhotoSummary] = []
            for path in details?.photos.map(\.path) ?? [] {
                if let photo = try store.photos.photo(at: path) { shown.append(photo) }
            }
            let place = shown.first { $0.key == record.key }?.path
            return Found(
                details: details, albums: albums, shown: shown,
                previous: try place.flatMap { try store.photos.neighbour(of: $0, isBefore: true) },
                next: try place.flatMap { try store.photos.neighbour(of: $0, isBefore: false) })
        }
        let raw = try? await raws.open(record, readers)
        let hasCameraPhoto = try await raws.cameraPhoto(of: record) != nil
        let shown = found.shown.first { $0.key == record.key }
        var fields = shown.map(PhotoJSON.fields) ?? PhotoJSON.fields(record)
        fields += ["isShown": shown != nil]
        fields += JSONFields(record.facts) { !PhotoJSON.listed.contains($0.key) }
        fields += ["exif": Self.facts(record)]
        fields += Self.fields(record.recipe)
        fields += Self.history(found, of: record)
        fields += [
            "edit": edits.item(showing: record.key.digest).map { EditJSON.fields($1, of: $0.id, edits) },
            "raw": [
                "name": String(decoding: raw?.name ?? record.original.file.path.name, as: UTF8.self),
                "file": "\(record.original.file)", "bytes": record.original.sizeBytes, "isThere": raw != nil,
            ] as JSONFields,
            // The preview in a RAW is searched for on request.
            "cameraPreview": hasCameraPhoto || raw != nil, "albums": found.albums,
            "siblings": found.shown.filter { $0.key != record.key }.map(PhotoJSON.fields),
            "previous": found.previous?.key.description, "next": found.next?.key.description,
        ]
        return .json(fields)
    }

    private struct Found: Sendable {
        let details: AssetDetails?
        let albums: [String]
        let shown: [PhotoSummary]
        let previous: PhotoSummary?
        let next: PhotoSummary?
    }

    private static func facts(_ record: RenditionRecord) -> [JSONFields] {
        var facts = PhotoFact.all.compactMap { fact in
            fact.label.flatMap { label in fact.text(in: record.facts).map { (label, $0) } }
        }
        if let size = record.photo.size { facts.append(("size", "\(size.width) × \(size.height)")) }
        facts.append(("engine", "\(record.engine)"))
        return facts.map { ["name": $0, "value": $1] }
    }

    private static func fields(_ recipe: RecipeRecord) -> JSONFields {
        let lines = recipe.adjustment.data.split(separator: "\n").compactMap { line -> JSONFields? in
            let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
            return parts.count == 2 ? ["name": parts[0], "value": parts[1]] : nil
        }
        let fields: JSONFields = ["recipe": lines, "recipeText": recipe.adjustment.data]
        return switch recipe.adjustment.reading {
        case .final(let why): fields + ["final": why]
        case .recipe(let recipe):
            fields + ["final": nil, "settings": ["look": recipe.look.name] + SettingJSON.fields(recipe)]
        }
    }

    private static func history(_ found: Found, of record: RenditionRecord) -> JSONFields {
        let history = found.details?.photos.map(\.history).first { $0[$0.current]?.key == record.key }
        let looks = Dictionary(
            (found.details?.revisions ?? []).map { ($0.key, "\($0.recipe.look)@\($0.recipe.lookVersion)") }
        ) { $1 }
        let revisions = (history?.revisions ?? []).map { revision -> JSONFields in
            [
                "number": revision.number, "id": revision.key.description, "look": looks[revision.key],
                "parent": revision.parent, "current": revision.number == history?.current,
            ]
        }
        return [
            "revisions": revisions, "canUndo": history?.target(of: .undo) != nil,
            "canRedo": history?.target(of: .redo) != nil,
        ]
    }
}
