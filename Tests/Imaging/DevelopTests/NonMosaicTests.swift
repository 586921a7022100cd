import PictureFormat
import Pixels
import Testing

@testable import Develop

@Suite("Sensors without a mosaic")
struct NonMosaicTests {
    private static let size = PixelSize(width: 150, height: 40)

    /// From black to burnt, with noise, by channel.
    private static func image(_ black: BlackLevels) -> SensorImage {
        var random = Sensors.Random(state: 5)
        var facts = Sensors.facts(.linearRGB, size)
        facts.black = black
        return Sensors.image(facts) { x, y in
            50 + x * 9 + x % 3 * 20 + Int.random(in: 0...40, using: &random) + (y < 20 ? 0 : 300)
        }
    }

    @Test(
        "Equal black levels give the same bytes as a single one, independent of their number",
        arguments: [PixelSize(width: 3, height: 1), PixelSize(width: 2, height: 2), PixelSize(width: 6, height: 1)])
    func blacks(block: PixelSize) throws {
        let one = try #require(BlackLevels(repeatSize: PixelSize(width: 1, height: 1), values: [64]))
        let values = [Float](repeating: 64, count: block.pixelCount)
        let many = try #require(BlackLevels(repeatSize: block, values: values))
        var context = DevelopContext()
        let expected = Bytes(try context.develop(Self.image(one)).full)
        #expect(Bytes(try context.develop(Self.image(many)).full) == expected)
        #expect(Set(expected.luma).count > 100)
    }

    @Test("A black level of a colour applies to that colour")
    func blackByChannel() throws {
        let levels: [Float] = [64, 80, 42]
        let black = try #require(BlackLevels(repeatSize: PixelSize(width: 3, height: 1), values: levels))
        let zero = try #require(BlackLevels(repeatSize: PixelSize(width: 1, height: 1), values: [0]))
        var facts = Sensors.facts(.linearRGB, Self.size)
        facts.black = black
        let mean: Float = 62
        facts.white = [4000 + mean, 4000 + mean, 4000 + mean]
        let lifted = Sensors.image(facts) { x, _ in 500 + x + Int(levels[x % 3]) }
        facts.black = zero
        facts.white = [4000, 4000, 4000]
        let plain = Sensors.image(facts) { x, _ in 500 + x }
        var context = DevelopContext()
        let expected = Bytes(try context.develop(plain, settings: DevelopSettings(noiseReduction: 0)).full)
        #expect(Bytes(try context.develop(lifted, settings: DevelopSettings(noiseReduction: 0)).full) == expected)
    }
}
