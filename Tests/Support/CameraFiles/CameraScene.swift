package import PictureFormat
package import Pixels
import Samples

/// What the cameras of these files photograph.
package enum CameraScene {
    private static let scene = SampleScene(seed: 11)

    /// A Bayer sensor's samples, from red in the corner.
    ///
    /// - Parameters:
    ///   - black: of 14 bits, whatever `bits` is.
    ///   - bits: of a sample.
    package static func plane(_ size: PixelSize, black: UInt16, bits: Int) -> Plane<UInt16> {
        var camera = SampleCamera()
        camera.black = [black, black, black, black]
        let plane = camera.expose(scene, size: size, layout: .bayer([.red, .green, .green, .blue]))
        for y in 0..<size.height { for x in 0..<size.width { plane.row(y)[x] >>= UInt16(14 - bits) } }
        return plane
    }
}
