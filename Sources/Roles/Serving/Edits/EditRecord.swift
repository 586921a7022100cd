package import Digest
package import Jobs
internal import JSON
internal import Manifests
internal import PictureFormat
package import Revisions
internal import Telemetry

/// An edit: the recipe of each photo, and the cause if a photo could not be rendered.
package struct EditRecord: Sendable {
    package struct Item: Sendable {
        /// The rendition that the photo shows now.
        package let shown: SHA256Value
        package let path: RelativePath
        package let asset: SHA256Value
        package let frame: UInt32
        package let edited: EditedRecipe
        /// The cause if it could not be rendered, as a sentence; nil until then.
        package var problem: String?

        /// The preview; nil if the photo is not larger.
        package var preview: RenditionKey? {
            edited.recipe.display.map { recipe in
                RenditionKey(asset: asset, frame: frame, recipe: recipe.id, engine: Engine.version, format: .jpeg)
            }
        }
    }

    package let id: String
    package let createdMilliseconds: Int64
    package var items: [Item]

    /// True while some of its photos are being rendered.
    package var isOpen: Bool { items.contains { $0.problem == nil } }

    package init(id: String, createdMilliseconds: Int64, items: [Item]) {
        self.id = id
        self.createdMilliseconds = createdMilliseconds
        self.items = items
    }

    package init(_ photos: [(photo: PhotoReviser.Photo, edited: EditedRecipe)], nowMilliseconds: Int64) {
        id = String(BatchID.random().description.prefix(12))
        createdMilliseconds = nowMilliseconds
        items = photos.compactMap { photo, edited in
            guard let shown = photo.shownKey?.digest else { return nil }
            return Item(shown: shown, path: photo.path, asset: photo.asset, frame: photo.frame, edited: edited)
        }
    }

    // MARK: File

    /// Writes each recipe once, because many photos share a few.
    package var bytes: [UInt8] {
        var recipes: [EditedRecipe: Int] = [:]
        var order: [EditedRecipe] = []
        for item in items where recipes[item.edited] == nil {
            recipes[item.edited] = order.count
            order.append(item.edited)
        }
        let photos = items.map { item -> JSONFields in
            [
                "shown": item.shown.description, "asset": item.asset.description, "frame": item.frame,
                // The name may not be UTF-8.
                "path": item.path.bytes.hex, "recipe": recipes[item.edited] ?? 0, "problem": item.problem,
            ]
        }
        let written = order.map { ["recipe": $0.recipe.canonicalText, "own": $0.hasOwnLook] as JSONFields }
        let record: JSONFields = [
            "edit": id, "created": createdMilliseconds, "recipes": written, "photos": photos,
        ]
        return JSONWriter.bytes(record)
    }

    /// Nil unless the bytes are a record of this version.
    package init?(_ bytes: [UInt8]) {
        guard let document = try? JSONValue(parsing: bytes), let id = document["edit"]?.text,
            let photos = document["photos"]?.elements
        else { return nil }
        let recipes = (document["recipes"]?.elements ?? []).map { field in
            field["recipe"]?.text.flatMap { Recipe(canonicalText: $0) }.map {
                EditedRecipe(recipe: $0, hasOwnLook: field["own"]?.boolean ?? false)
            }
        }
        self.id = id
        createdMilliseconds = document["created"]?.integer ?? 0
        items = photos.compactMap { field in
            guard let shown = field["shown"]?.text.flatMap({ SHA256Value(hex: $0) }),
                let asset = field["asset"]?.text.flatMap({ SHA256Value(hex: $0) }),
                let frame = field["frame"]?.integer.flatMap({ UInt32(exactly: $0) }),
                let path = field["path"]?.text.flatMap({ [UInt8](hex: $0) }).flatMap({ RelativePath(bytes: $0) }),
                let index = field["recipe"]?.integer, recipes.indices.contains(Int(clamping: index)),
                let edited = recipes[Int(clamping: index)]
            else { return nil }
            return Item(
                shown: shown, path: path, asset: asset, frame: frame, edited: edited, problem: field["problem"]?.text)
        }
    }
}

extension Recipe {
    /// The long edge of a preview, for a display.
    package static let displayEdgePixels: UInt32 = 2048

    /// The recipe of a preview, a JPEG for a display; nil if the photo is not larger.
    package var display: Recipe? {
        if format == .jpeg, let longEdgePixels, longEdgePixels <= Self.displayEdgePixels { return nil }
        var recipe = self
        recipe.longEdgePixels = min(longEdgePixels ?? .max, Self.displayEdgePixels)
        (recipe.format, recipe.quality, recipe.subsampling) = (.jpeg, 88, .auto)
        (recipe.isProgressive, recipe.hasGainMap) = (false, false)
        return recipe
    }
}
