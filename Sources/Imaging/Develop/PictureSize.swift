import PictureFormat
import Pixels

/// The size a picture is rendered at, in the sensor's order: square pixels, and no longer than asked.
enum PictureSize {
    static func full(crop: PixelSize, pixelAspect: Double, longEdge: Int?) -> PixelSize {
        var width = Double(crop.width)
        var height = Double(crop.height)
        // The coarser direction is refined, so nothing that was resolved is lost.
        if pixelAspect > 1 { width *= pixelAspect } else { height /= pixelAspect }
        let limit = Double(min(longEdge ?? SensorValidation.maximumEdge, SensorValidation.maximumEdge))
        let scale = min(1, limit / max(width, height).rounded())
        return PixelSize(
            width: max(1, Int((width * scale).rounded())), height: max(1, Int((height * scale).rounded())))
    }
}
