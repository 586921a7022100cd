internal import Digest
internal import Jobs
internal import Library
internal import Manifests
internal import PictureFormat
internal import Storage
internal import Telemetry
internal import Web
internal import WebService

/// Tells everything about one photo.
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
        return .json { json in
            if let photo = found.shown.first(where: { $0.key == record.key }) {
                PhotoJSON.write(photo, to: &json)
                json.field("isShown", true)
            } else {
                PhotoJSON.write(record, to: &json)
                json.field("isShown", false)
            }
            json.fields(of: record.facts) { !PhotoJSON.listed.contains($0.key) }
            Self.writeFacts(record, to: &json)
            Self.writeRecipe(record.recipe, to: &json)
            Self.writeHistory(found, of: record, to: &json)
            if let (edit, item) = edits.item(showing: record.key.digest) {
                json.object("edit") { EditJSON.write(item, of: edit.id, edits, to: &$0) }
            } else {
                json.field("edit", LogValue?.none)
            }
            json.object("raw") { json in
                json.field("name", bytes: raw?.name ?? record.original.file.path.name)
                json.field("bytes", record.original.sizeBytes)
                json.field("isThere", raw != nil)
            }
            // Whether there is one in the RAW shows when it is asked for.
            json.field("cameraPreview", hasCameraPhoto || raw != nil)
            json.array("albums") { json in for album in found.albums { json.element(.text(album)) } }
            json.array("siblings") { json in
                for photo in found.shown where photo.key != record.key {
                    json.object { PhotoJSON.write(photo, to: &$0) }
                }
            }
            json.field("previous", found.previous.map { LogValue($0.key) })
            json.field("next", found.next.map { LogValue($0.key) })
        }
    }

    private struct Found: Sendable {
        let details: AssetDetails?
        let albums: [String]
        let shown: [PhotoSummary]
        let previous: PhotoSummary?
        let next: PhotoSummary?
    }

    private static func writeFacts(_ record: RenditionRecord, to json: inout JSONWriter) {
        var facts = PhotoFact.all.compactMap { fact in
            fact.label.flatMap { label in fact.text(in: record.facts).map { (label, $0) } }
        }
        if let size = record.photo.size { facts.append(("size", "\(size.width) × \(size.height)")) }
        facts.append(("RAW", "\(record.original.file)"))
        facts.append(("RAW's size", NumberText.bytes(record.original.sizeBytes)))
        facts.append(("engine", "\(record.engine)"))
        facts.append(("asset", record.asset.description))
        json.array("exif") { json in
            for (name, value) in facts {
                json.object { json in
                    json.field("name", name)
                    json.field("value", value)
                }
            }
        }
    }

    private static func writeRecipe(_ recipe: RecipeRecord, to json: inout JSONWriter) {
        json.array("recipe") { json in
            for line in recipe.adjustment.data.split(separator: "\n") {
                let parts = line.split(separator: "=", maxSplits: 1)
                guard parts.count == 2 else { continue }
                json.object { json in
                    json.field("name", String(parts[0]))
                    json.field("value", String(parts[1]))
                }
            }
        }
        json.field("recipeText", recipe.adjustment.data)
        switch recipe.adjustment.reading {
        case .final(let why): json.field("final", why)
        case .recipe(let recipe):
            json.field("final", LogValue?.none)
            json.object("settings") { json in
                json.field("look", recipe.look.name)
                SettingJSON.write(recipe, to: &json)
            }
        }
    }

    private static func writeHistory(_ found: Found, of record: RenditionRecord, to json: inout JSONWriter) {
        let history = found.details?.photos.map(\.history).first { $0[$0.current]?.key == record.key }
        let looks = Dictionary(
            (found.details?.revisions ?? []).map { ($0.key, "\($0.recipe.look)@\($0.recipe.lookVersion)") }
        ) { $1 }
        json.array("revisions") { json in
            for revision in history?.revisions ?? [] {
                json.object { json in
                    json.field("number", revision.number)
                    json.field("id", revision.key.description)
                    json.field("look", looks[revision.key].map(LogValue.text))
                    json.field("parent", revision.parent.map { LogValue($0) })
                    json.field("current", revision.number == history?.current)
                }
            }
        }
        json.field("canUndo", history?.target(of: .undo) != nil)
        json.field("canRedo", history?.target(of: .redo) != nil)
    }
}
