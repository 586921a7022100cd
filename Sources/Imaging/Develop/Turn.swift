import PictureFormat
import Pixels

/// How the sensor's rows come to lie in the upright picture: the eight orientations as flips and a swap of axes.
///
/// Chroma samples of the upright picture stand for 2 × 2 pixels counted from its top-left corner. Where an odd
/// number of pixels is mirrored, those squares begin one pixel late in the sensor's own order: `pairPhase`.
struct Turn: Equatable {
    let sensorSize: PixelSize
    /// The upright coordinate that comes from sensor x counts backwards.
    let flipsX: Bool
    let flipsY: Bool
    let swapsAxes: Bool

    init(_ orientation: Orientation, sensorSize: PixelSize) {
        self.sensorSize = sensorSize
        swapsAxes = orientation.swapsAxes
        flipsX = [.mirroredHorizontally, .rotated180, .transversed, .rotated90CounterClockwise].contains(orientation)
        flipsY = [.rotated180, .mirroredVertically, .rotated90Clockwise, .transversed].contains(orientation)
    }

    var uprightSize: PixelSize { swapsAxes ? sensorSize.transposed : sensorSize }

    /// 1 where the first column of a 2 × 2 square of the upright picture lies before sensor column 0.
    var pairPhaseX: Int { flipsX && sensorSize.width & 1 == 1 ? 1 : 0 }
    var pairPhaseY: Int { flipsY && sensorSize.height & 1 == 1 ? 1 : 0 }
}
