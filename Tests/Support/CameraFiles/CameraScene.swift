package import PictureFormat
package import Pixels
import Samples

/// The scene of all camera files.
package enum CameraScene {
    private static let scene = SampleScene(seed: 11)

    /// Samples of a sensor; by default a Bayer sensor with red in the corner.
    ///
    /// - Parameters:
    ///   - black: in 14 bits for any `bits` except 16.
    ///   - bits: of a sample.
    package static func plane(
        _ size: PixelSize, black: UInt16, bits: Int, layout: SensorLayout = .bayer([.red, .green, .green, .blue])
    ) -> Plane<UInt16> {
        var camera = SampleCamera()
        camera.black = [black, black, black, black]
        if bits == 16 {
            // It holds more light, and avoids the value that marks unwritten samples (`Decoder::firstFill`).
            camera.white = 40_000
            camera.fullWell *= 3
        }
        let plane = camera.expose(scene, size: size, layout: layout)
        for y in 0..<size.height { for x in 0..<size.width { plane.row(y)[x] >>= UInt16(max(14 - bits, 0)) } }
        return plane
    }
}
