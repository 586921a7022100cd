internal import Encode
internal import Jobs
internal import PictureFormat

extension JPEGCoding {
    init(_ recipe: Recipe) {
        self.init(
            quality: Int(recipe.quality), subsampling: recipe.subsampling.resolved(quality: recipe.quality),
            isProgressive: recipe.isProgressive)
    }
}

extension PhotoCoding {
    init(_ recipe: Recipe) {
        let lossy = LossyCoding(quality: Int(recipe.quality), colourSpace: recipe.colourSpace)
        self =
            switch recipe.format {
            case .jpeg: .jpeg(JPEGCoding(recipe))
            case .tiff: .tiff
            case .png: .png
            case .avif: .avif(lossy)
            case .jxl: .jxl(lossy)
            }
    }
}
