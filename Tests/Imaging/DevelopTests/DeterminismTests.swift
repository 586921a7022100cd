import Develop
import PictureFormat
import Pixels
import Testing

@Suite("Determinism")
struct DeterminismTests {
    private func noise(
        _ layout: SensorLayout, _ size: PixelSize, _ orientation: Orientation = .upright, isoSpeed: Float? = nil
    ) -> SensorImage {
        var random = Sensors.Random(state: 3)
        var facts = Sensors.facts(layout, size, orientation: orientation)
        facts.isoSpeed = isoSpeed
        return Sensors.image(facts) { _, _ in
            Int.random(in: 40...4095, using: &random)
        }
    }

    @Test("Any number of threads gives the same full size and preview", arguments: [2, 3, 4, 7, 64])
    func threads(count: Int) throws {
        var context = DevelopContext()
        for orientation in [Orientation.upright, .rotated90Clockwise, .rotated180] {
            for layout in [SensorLayout.bayer(Sensors.phases[1]), Sensors.xTrans, .monochrome] {
                let image = noise(
                    layout, PixelSize(width: 211, height: 333), orientation, isoSpeed: count == 3 ? nil : 6400)
                let one = try context.develop(image, settings: DevelopSettings(sharpening: 0.7), preview: 100)
                let many = try context.develop(
                    image, settings: DevelopSettings(sharpening: 0.7, threads: count), preview: 100)
                #expect(Bytes(one.full) == Bytes(many.full))
                #expect(previewBytes(one) == previewBytes(many))
                #expect(previewBytes(one) != nil)
            }
        }
    }

    private func previewBytes(_ developed: borrowing DevelopedPicture) -> Bytes? {
        switch developed.preview {
        case .some(let preview): Bytes(preview)
        case .none: nil
        }
    }

    @Test("A reused context gives the same result as a new one")
    func warm() throws {
        let image = noise(.linearRGB, PixelSize(width: 64, height: 48))
        var context = DevelopContext()
        let cold = Bytes(try context.develop(image).full)
        _ = try context.develop(noise(.monochrome, PixelSize(width: 9, height: 5)))
        #expect(Bytes(try context.develop(image).full) == cold)
    }
}
