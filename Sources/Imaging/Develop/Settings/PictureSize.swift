import PictureFormat
import Pixels

/// The size at which a picture is rendered, in the sensor's order.
enum PictureSize {
    /// A size with square pixels.
    ///
    /// - Parameters:
    ///   - pixelAspect: width of a sensor's pixel over its height. The coarser direction is refined, so no detail is
    ///     lost.
    ///   - longEdge: the longest edge allowed; nil for JPEG's own limit. A picture is never enlarged to it.
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
