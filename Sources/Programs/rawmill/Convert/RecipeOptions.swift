import Arguments
import Coordinator
import Jobs
import Looks

extension ConvertOptions {
    /// The recipe that the options say, with the look pinned by its content.
    static func recipe(_ values: Values, look: LookReference) throws -> Recipe {
        let recipe = Recipe(
            look: look, lookStrength: values[strength], exposureStops: values[exposure], whiteBalance: nil,
            longEdgePixels: values[longEdge], quality: values[quality], colourSpace: values[colourSpace].value,
            reducesNoise: !values[noDenoise])
        if let complaint = recipe.complaint { throw UsageError("\(complaint).", command: values.command) }
        return recipe
    }
}
