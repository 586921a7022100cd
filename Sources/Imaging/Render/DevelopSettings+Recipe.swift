internal import Develop
internal import Encode
internal import Jobs
internal import PictureFormat
internal import Pixels

extension DevelopSettings {
    /// - Parameters:
    ///   - picture: the camera's own, whose brightness is the starting point.
    ///   - lens: what corrects the lens where the file does not.
    init(_ recipe: Recipe, matching picture: SmallPicture?, lens: SensorCorrections, threads: Int) {
        self.init(
            exposure: Float(recipe.exposureStops), brightness: Brightness(recipe.brightness, picture),
            whiteBalance: recipe.whiteBalance.map {
                .temperature(kelvin: Float($0.kelvin), tint: Float($0.tint))
            } ?? .asShot,
            longEdge: recipe.longEdgePixels.map(Int.init),
            noiseReduction: recipe.noiseReduction.map { Float($0) }, sharpening: Float(recipe.sharpening),
            correctsLens: !recipe.keepsLens, lens: lens,
            colourSpace: recipe.colourSpace, depth: PhotoCoding(recipe).depth,
            // What lies between is made of all samples when the photo is encoded.
            subsampling: JPEGCoding(recipe).subsampling == .quarter ? .quarter : .none, previewSubsampling: .quarter,
            makesGainMap: recipe.hasGainMap,
            threads: threads)
    }
}

extension Brightness {
    fileprivate init(_ brightness: Recipe.Brightness, _ picture: SmallPicture?) {
        self =
            switch brightness {
            case .camera: picture.map { .matching($0) } ?? .metered
            case .metered: .metered
            case .exposed: .asExposed
            }
    }
}
