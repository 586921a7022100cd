package import PictureFormat
package import Pixels
import Samples

/// What the cameras of these files photograph.
package enum CameraScene {
    private static let scene = SampleScene(seed: 11)

    /// A sensor's samples; without a layout those of a Bayer sensor, from red in the corner.
    ///
    /// - Parameters:
    ///   - black: of 14 bits, whatever `bits` is, but for 16 of these.
    ///   - bits: of a sample.
    package static func plane(
        _ size: PixelSize, black: UInt16, bits: Int, layout: SensorLayout = .bayer([.red, .green, .green, .blue])
    ) -> Plane<UInt16> {
        var camera = SampleCamera()
        camera.black = [black, black, black, black]
        if bits == 16 {
            // It holds more light, and reaches no value by which unwritten samples are told (`Decoder::firstFill`).
            camera.white = 40_000
            camera.fullWell *= 3
        }
        let plane = camera.expose(scene, size: size, layout: layout)
        for y in 0..<size.height { for x in 0..<size.width { plane.row(y)[x] >>= UInt16(max(14 - bits, 0)) } }
        return plane
    }
}
