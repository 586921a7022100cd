import Export
import Jobs
import PictureFormat

/// What tells photos of one run apart whose template would give them one name.
enum ExportLabels {
    /// - Returns: one label for each recipe; empty where the template or the look alone tells its photos apart.
    static func of(_ recipes: [Recipe], in template: NameTemplate) -> [String] {
        let looks = Set(recipes.map(\.look)).count > 1 && !template.names(.look)
        let sizes = Set(recipes.map(\.longEdgePixels)).count > 1 && !template.names(.size)
        // Photos of different formats have different extensions, and those that lose nothing have no quality.
        let qualities =
            Set(recipes.filter { $0.format.hasQuality }.map(\.quality)).count > 1 && !template.names(.quality)
        return recipes.map { recipe in
            var parts: [String] = []
            if looks { parts.append(recipe.look.name) }
            if sizes, let pixels = recipe.longEdgePixels { parts.append("\(pixels)px") }
            if qualities, recipe.format.hasQuality { parts.append("q\(recipe.quality)") }
            return parts.joined(separator: ".")
        }
    }
}
