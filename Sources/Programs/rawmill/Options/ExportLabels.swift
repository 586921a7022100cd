import Export
import Jobs
import PictureFormat

/// Distinguishes photos of one run to which the template gives the same name.
enum ExportLabels {
    /// One label for each recipe; empty if the template or the look alone distinguishes its photos.
    static func of(_ recipes: [Recipe], in template: NameTemplate) -> [String] {
        let looks = Set(recipes.map(\.look)).count > 1 && !template.names(.look)
        let sizes = Set(recipes.map(\.longEdgePixels)).count > 1 && !template.names(.size)
        // Photos of different formats have different extensions, and lossless ones have no quality.
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
