import Develop
import PictureFormat
import Pixels
import Testing

@Suite("Orientation")
struct OrientationTests {
    /// Place of the upright pixel (x, y) in a sensor of this size, computed independently from EXIF 2.32, table 6.
    private func source(_ x: Int, _ y: Int, _ orientation: Orientation, _ size: PixelSize) -> (x: Int, y: Int) {
        let (right, bottom) = (size.width - 1, size.height - 1)
        return switch orientation {
        case .upright: (x, y)
        case .mirroredHorizontally: (right - x, y)
        case .rotated180: (right - x, bottom - y)
        case .mirroredVertically: (x, bottom - y)
        case .transposed: (y, x)
        case .rotated90Clockwise: (y, bottom - x)
        case .transversed: (right - y, bottom - x)
        case .rotated90CounterClockwise: (right - y, x)
        }
    }

    @Test(
        "Every orientation and odd size equals the rendering of pre-transformed pixels",
        arguments: Orientation.allCases,
        [
            PixelSize(width: 70, height: 41), .init(width: 71, height: 40), .init(width: 1, height: 3),
            .init(width: 1025, height: 67),
        ])
    func transformsPixels(orientation: Orientation, size: PixelSize) throws {
        var random = Sensors.Random(state: 7)
        var samples = [Int]()
        for _ in 0..<(size.pixelCount * 3) { samples.append(Int.random(in: 64...4000, using: &random)) }
        let turned = orientation.swapsAxes ? size.transposed : size
        let facts = Sensors.facts(.linearRGB, size, orientation: orientation)
        let stored = Sensors.image(facts) { x, y in samples[y * size.width * 3 + x] }
        let upright = Sensors.image(Sensors.facts(.linearRGB, turned)) { x, y in
            let from = source(x / 3, y, orientation, size)
            return samples[(from.y * size.width + from.x) * 3 + x % 3]
        }
        var context = DevelopContext()
        for subsampling in [ChromaSubsampling.quarter, .none] {
            let settings = DevelopSettings(brightness: .asExposed, subsampling: subsampling)
            let a = Bytes(try context.develop(stored, settings: settings).full)
            let b = Bytes(try context.develop(upright, settings: settings).full)
            #expect(a == b)
        }
    }

    @Test(
        "Every orientation of a mosaic, of any phase and odd size, equals the transformed upright picture",
        arguments: Orientation.allCases, Sensors.phases)
    func transformsMosaics(orientation: Orientation, phase: [CFAColour]) throws {
        var context = DevelopContext()
        let size = PixelSize(width: 37, height: 29)
        var random = Sensors.Random(state: 9)
        let samples = (0..<size.pixelCount).map { _ in Int.random(in: 64...4000, using: &random) }
        let facts = Sensors.facts(.bayer(phase), size, orientation: orientation)
        let image = Sensors.image(facts) { x, y in samples[y * size.width + x] }
        let plain = Sensors.image(Sensors.facts(.bayer(phase), size)) { x, y in samples[y * size.width + x] }
        let settings = DevelopSettings(brightness: .asExposed, subsampling: .none)
        let a = Bytes(try context.develop(image, settings: settings).full)
        let b = Bytes(try context.develop(plain, settings: settings).full)
        for y in 0..<a.size.height {
            for x in 0..<a.size.width {
                let from = source(x, y, orientation, size)
                #expect(a.luma[y * a.size.width + x] == b.luma[from.y * size.width + from.x])
            }
        }
    }
}
