internal import Develop
internal import Encode
internal import Jobs
internal import PictureFormat
internal import Pixels

extension DevelopSettings {
    /// - Parameters:
    ///   - picture: the camera's picture, whose brightness is the starting point.
    ///   - lens: lens corrections that the file lacks.
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
            // For half subsampling, the encoder halves full chroma.
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
