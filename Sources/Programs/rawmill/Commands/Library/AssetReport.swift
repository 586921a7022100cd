import Digest
import Jobs
import Library
import Manifests
import PictureFormat
import Pixels
import Telemetry

/// An asset for `rawmill library show`.
enum AssetReport {
    static func text(_ asset: AssetDetails, _ edits: EditStore) -> String {
        var lines = ["asset \(asset.asset)" + (asset.frame > 0 ? ", frame \(asset.frame)" : "")]
        lines.append("  camera    \(asset.make) \(asset.model)")
        lines.append("  captured  \(asset.captured ?? "unknown")")
        switch asset.rating {
        case nil, 0: break
        case -1: lines.append("  stars     rejected")
        case let rating?: lines.append("  stars     \(rating)")
        }
        if let words = asset.keywords?.words, !words.isEmpty {
            lines.append("  keywords  \(words.joined(separator: ", "))")
        }
        lines += asset.sources.flatMap { resource($0) }
        for photo in asset.photos { lines += history(photo, of: asset) + edit(photo, edits) }
        for revision in asset.revisions { lines += self.revision(revision) }
        return lines.map { TerminalText.escape($0) }.joined(separator: "\n")
    }

    /// The numbers that `rawmill revert --to` takes.
    private static func history(_ photo: AssetDetails.ShownPhoto, of asset: AssetDetails) -> [String] {
        let history = photo.history
        let looks = Dictionary(asset.revisions.map { ($0.key, "\($0.recipe.look)@\($0.recipe.lookVersion)") }) { $1 }
        return ["  photo \(photo.path)"]
            + history.revisions.map { revision in
                let parent = revision.parent.map { ", made from \($0)" } ?? ""
                let shown = revision.number == history.current ? ", shown" : ""
                let key = revision.key.description.prefix(12)
                return
                    "    revision \(revision.number): \(looks[revision.key] ?? "not in the library") \(key)\(parent)\(shown)"
            }
    }

    /// What is being rendered of a photo, or could not be.
    private static func edit(_ photo: AssetDetails.ShownPhoto, _ edits: EditStore) -> [String] {
        guard let item = edits.item(of: photo) else { return [] }
        return ["    edit to \(item.edited.recipe.look): \(item.problem ?? "being rendered")"]
    }

    private static func revision(_ revision: AssetDetails.Revision) -> [String] {
        let recipe = revision.recipe
        var lines = [
            "  edit \(recipe.look)@\(recipe.lookVersion), engine \(revision.engine), \(revision.key.description.prefix(12))"
        ]
        lines.append("    shown     " + (revision.shownAt.map { "\($0)" } ?? "not any more: a newer edit is"))
        if let name = revision.occupied { lines.append("              \(name) is a file of yours, and keeps the name") }
        if let degraded = revision.degraded { lines.append("    degraded  \(degraded)") }
        if let lens = revision.lens { lines.append("    lens      \(lens)") }
        lines += ([revision.photo] + (revision.preview.map { [$0] } ?? [])).flatMap { resource($0, indent: "    ") }
        let adjustment = recipe.adjustment
        lines.append("    recipe    \(adjustment.formatIdentifier) \(adjustment.formatVersion)")
        if case .final(let why) = adjustment.reading { return lines + ["              \(why)"] }
        return lines + adjustment.data.split(separator: "\n").map { "              \($0)" }
    }

    private static func resource(_ resource: AssetDetails.Resource, indent: String = "  ") -> [String] {
        let size = resource.size.map { ", \($0.width) × \($0.height)" } ?? ""
        let digest = resource.digest.map { ["\(indent)  SHA-256 \($0)"] } ?? []
        return ["\(indent)\(resource.kind.rawValue): \(resource.file) (\(NumberText.bytes(resource.sizeBytes))\(size))"]
            + digest
    }

    static func json(_ asset: AssetDetails, _ edits: EditStore) -> String {
        JSONWriter.line { json in
            json.field("asset", asset.asset.description)
            json.field("frame", asset.frame)
            json.field("captured", asset.captured.map(LogValue.text))
            json.field("make", asset.make)
            json.field("model", asset.model)
            json.field("rating", asset.rating.map { LogValue($0) })
            json.array("keywords") { json in
                for word in asset.keywords?.words ?? [] { json.element(.text(word)) }
            }
            json.array("resources") { json in
                for resource in asset.resources { json.object { write(resource, to: &$0) } }
            }
            json.array("photos") { json in
                for photo in asset.photos { json.object { write(photo, edits, to: &$0) } }
            }
            json.array("revisions") { json in
                for revision in asset.revisions { json.object { write(revision, to: &$0) } }
            }
        }
    }

    private static func write(_ resource: AssetDetails.Resource, to json: inout JSONWriter) {
        json.field("kind", resource.kind.rawValue)
        json.file(resource.file)
        json.field("sha256", resource.digest.map { LogValue($0) })
        json.field("bytes", resource.sizeBytes)
        json.field("width", resource.size.map { LogValue($0.width) })
        json.field("height", resource.size.map { LogValue($0.height) })
    }

    private static func write(_ photo: AssetDetails.ShownPhoto, _ edits: EditStore, to json: inout JSONWriter) {
        json.field("photo", bytes: photo.path.bytes)
        json.field("current", photo.history.current)
        json.array("history") { json in
            for revision in photo.history.revisions {
                json.object { json in
                    json.field("number", revision.number)
                    json.field("key", revision.key.description)
                    json.field("parent", revision.parent.map { LogValue($0) })
                }
            }
        }
        guard let item = edits.item(of: photo) else { return json.field("edit", LogValue?.none) }
        json.object("edit") { json in
            json.field("look", "\(item.edited.recipe.look)")
            json.field("state", item.problem == nil ? "rendering" : "failed")
            json.field("message", item.problem.map(LogValue.text))
        }
    }

    private static func write(_ revision: AssetDetails.Revision, to json: inout JSONWriter) {
        json.field("key", revision.key.description)
        json.field("look", "\(revision.recipe.look)@\(revision.recipe.lookVersion)")
        json.field("recipe", revision.recipe.id.description)
        json.field("engine", revision.engine)
        json.field("shown", revision.shownAt.map { LogValue($0) })
        json.field("occupied", revision.occupied.map { LogValue($0) })
        json.field("degraded", revision.degraded.map(LogValue.text))
        json.field("lens", revision.lens.map(LogValue.text))
        json.object("adjustment") { json in
            json.field("formatIdentifier", revision.recipe.adjustment.formatIdentifier)
            json.field("formatVersion", revision.recipe.adjustment.formatVersion)
            json.field("data", revision.recipe.adjustment.data)
        }
    }
}

extension EditStore {
    /// What is being rendered of a photo, or could not be.
    fileprivate func item(of photo: AssetDetails.ShownPhoto) -> EditRecord.Item? {
        photo.history[photo.history.current].flatMap { item(showing: $0.key.digest)?.item }
    }
}
