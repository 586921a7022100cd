import PictureFormat
import Pixels

/// Size of the rendered picture, in the sensor's order.
enum PictureSize {
    /// A size with square pixels. `pixelAspect` is the width of a sensor pixel over its height; the coarser direction
    /// is refined, to keep detail. Without `longEdge`, JPEG's limit applies. Pictures are never enlarged.
    static func square(crop: PixelSize, pixelAspect: Double, longEdge: Int?) -> PixelSize {
        var width = Double(crop.width)
        var height = Double(crop.height)
        if pixelAspect > 1 { width *= pixelAspect } else { height /= pixelAspect }
        let limit = Double(min(longEdge ?? SensorValidation.maxEdge, SensorValidation.maxEdge))
        let scale = min(1, limit / max(width, height).rounded())
        return PixelSize(
            width: max(1, Int((width * scale).rounded())), height: max(1, Int((height * scale).rounded())))
    }
}
