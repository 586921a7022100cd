import Digest
import Jobs
internal import LibraryTables
import Manifests
import PictureFormat
import Pixels
import Selection
import Serving
import Telemetry

enum AssetReport {
    static func text(_ asset: AssetDetails, _ edits: EditStore) -> String {
        var lines = ["asset \(asset.asset)" + (asset.frame > 0 ? ", frame \(asset.frame)" : "")]
        lines.append("  camera    \(asset.facts.camera)")
        lines.append("  captured  \(asset.captured.map(LibraryListCommand.spoken) ?? "unknown")")
        switch asset.rating {
        case nil, 0: break
        case -1: lines.append("  stars     rejected")
        case let rating?: lines.append("  stars     \(rating)")
        }
        if let words = asset.keywords?.words, !words.isEmpty {
            lines.append("  keywords  \(words.joined(separator: ", "))")
        }
        for fact in PhotoFact.all where fact.origin == .exif {
            guard let label = fact.label, let text = fact.text(in: asset.facts) else { continue }
            lines.append("  \(label)\(String(repeating: " ", count: max(1, 10 - label.count)))\(text)")
        }
        lines += asset.sources.flatMap { resource($0) }
        for photo in asset.photos { lines += history(photo, of: asset) + edit(photo, edits) }
        for revision in asset.revisions { lines += self.revision(revision) }
        return lines.map { TerminalText.escape($0) }.joined(separator: "\n")
    }

    /// The numbers that `rawmill revert --to` accepts.
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

    private static func edit(_ photo: AssetDetails.ShownPhoto, _ edits: EditStore) -> [String] {
        guard let item = edits.item(of: photo) else { return [] }
        return ["    edit to \(item.edited.recipe.look): \(item.problem ?? "being rendered")"]
    }

    private static func revision(_ revision: AssetDetails.Revision) -> [String] {
        let recipe = revision.recipe
        var lines = [
            "  edit \(recipe.look)@\(recipe.lookVersion), engine \(revision.engine), \(revision.key.description.prefix(12))"
        ]
        lines.append("    shown     " + (revision.shownAt.map { "\($0)" } ?? "no, a newer edit is"))
        if let name = revision.occupied { lines.append("              \(name) is your file and keeps the name") }
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
        JSONWriter.line(
            ["asset": asset.asset.description, "frame": asset.frame]
                + JSONFields(asset.facts) { !["degraded", "lens", "keywords"].contains($0.key) }
                + [
                    "keywords": asset.keywords?.words ?? [],
                    "resources": asset.resources.map(fields), "photos": asset.photos.map { fields($0, edits) },
                    "revisions": asset.revisions.map(fields),
                ])
    }

    private static func fields(_ resource: AssetDetails.Resource) -> JSONFields {
        ["kind": resource.kind.rawValue] + JSONFields(file: resource.file)
            + [
                "sha256": resource.digest?.description, "bytes": resource.sizeBytes, "width": resource.size?.width,
                "height": resource.size?.height,
            ]
    }

    private static func fields(_ photo: AssetDetails.ShownPhoto, _ edits: EditStore) -> JSONFields {
        let item = edits.item(of: photo)
        let edit: JSONFields? = item.map { item in
            [
                "look": "\(item.edited.recipe.look)", "state": item.problem == nil ? "rendering" : "failed",
                "message": item.problem,
            ]
        }
        let history: [JSONFields] = photo.history.revisions.map { revision in
            [
                "number": revision.number, "key": revision.key.description, "parent": revision.parent,
            ]
        }
        return [
            "photo": String(decoding: photo.path.bytes, as: UTF8.self), "current": photo.history.current,
            "history": history, "edit": edit,
        ]
    }

    private static func fields(_ revision: AssetDetails.Revision) -> JSONFields {
        let adjustment = revision.recipe.adjustment
        return [
            "key": revision.key.description, "look": "\(revision.recipe.look)@\(revision.recipe.lookVersion)",
            "recipe": revision.recipe.id.description, "engine": revision.engine,
            "shown": revision.shownAt?.description, "occupied": revision.occupied?.description,
            "degraded": revision.degraded, "lens": revision.lens, "adjustment": JSONFields(adjustment),
        ]
    }
}

extension EditStore {
    fileprivate func item(of photo: AssetDetails.ShownPhoto) -> EditRecord.Item? {
        photo.history[photo.history.current].flatMap { item(showing: $0.key.digest)?.item }
    }
}
