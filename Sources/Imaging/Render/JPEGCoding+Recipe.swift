internal import Encode
internal import Jobs
internal import PictureFormat

extension JPEGCoding {
    /// How the photo of a recipe is coded.
    init(_ recipe: Recipe) {
        self.init(
            quality: Int(recipe.quality), subsampling: recipe.subsampling.resolved(quality: recipe.quality),
            isProgressive: recipe.isProgressive)
    }
}
