import PictureFormat
import Pixels
import Testing

@testable import Develop

@Suite("Noise reduction")
struct NoiseTests {
    static let layouts = [SensorLayout.bayer(Sensors.phases[0]), .bayer(Sensors.phases[2]), Sensors.xTrans, .linearRGB]
    private static let size = PixelSize(width: 181, height: 127)

    /// Two adjacent fields of colour, recorded by a sensor with 40,000 electrons at ISO 100.
    private static func image(_ layout: SensorLayout, speed: Float?, noisy: Bool = true) -> SensorImage {
        var random = Sensors.Random(state: 31)
        var facts = Sensors.facts(layout, size)
        facts.isoSpeed = speed
        let gain = speed.map { $0.isFinite ? Double($0) / 100 : 1 } ?? 1
        let electrons = 40_000 / gain
        return Sensors.image(facts) { x, y in
            let channel = layout.channel(x: x, y: y)
            let isRight = x / layout.samplesPerPixel >= 90
            let light = [isRight ? 0.10 : 0.13, 0.2, isRight ? 0.16 : 0.09][channel]
            // The sum of twelve uniform numbers is close enough to a normal one.
            let normal = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0...1, using: &random) }
            let deviation = noisy ? (light * electrons + 9).squareRoot() / electrons : 0
            return Int(((light + deviation * normal) * 3936 + 64).rounded())
        }
    }

    private static func bytes(_ image: borrowing SensorImage, reduces: Bool) throws -> Bytes {
        var context = DevelopContext()
        let settings = DevelopSettings(brightness: .asExposed, noiseReduction: reduces ? nil : 0, subsampling: .none)
        return Bytes(try context.develop(image, settings: settings).full)
    }

    /// Mean and deviation of a plane over columns, away from the edges.
    private static func statistics(_ plane: [UInt8], _ columns: Range<Int>) -> (mean: Double, deviation: Double) {
        let values = (8..<size.height - 8).flatMap { y in columns.map { Double(plane[y * size.width + $0]) } }
        let mean = values.reduce(0, +) / Double(values.count)
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
        return (mean, variance.squareRoot())
    }

    @Test("Most colour noise of high ISO speeds is removed, and no mean colour changes", arguments: layouts)
    func flat(layout: SensorLayout) throws {
        let image = Self.image(layout, speed: 3200)
        // Noise that no interpolation has smoothed is twice as large, and half of it exceeds the limit.
        let left = layout == .linearRGB ? 0.85 : 0.55
        let (noisy, quiet) = (try Self.bytes(image, reduces: false), try Self.bytes(image, reduces: true))
        for columns in [8..<80, 100..<172] {
            for plane in [\Bytes.cb, \.cr] {
                let before = Self.statistics(noisy[keyPath: plane], columns)
                let after = Self.statistics(quiet[keyPath: plane], columns)
                #expect(after.deviation < left * before.deviation, "\(after) for \(before)")
                #expect(abs(after.mean - before.mean) < 1)
            }
            let (before, after) = (Self.statistics(noisy.luma, columns), Self.statistics(quiet.luma, columns))
            #expect(abs(after.mean - before.mean) < 1 && after.deviation < 1.05 * before.deviation)
        }
    }

    @Test("A border between colours does not move", arguments: layouts)
    func border(layout: SensorLayout) throws {
        let clean = try Self.bytes(Self.image(layout, speed: nil, noisy: false), reduces: false)
        let quiet = try Self.bytes(Self.image(layout, speed: 3200), reduces: true)
        // Relative to the stronger step, which depends on the engine's contrast: a border that moves by a column shows
        // half of it.
        let step = [\Bytes.cb, \.cr].map { plane in
            abs(
                Self.statistics(clean[keyPath: plane], 20..<60).mean
                    - Self.statistics(clean[keyPath: plane], 120..<160).mean)
        }.max()!
        for column in 84..<96 {
            for plane in [\Bytes.cb, \.cr] {
                let expected = Self.statistics(clean[keyPath: plane], column..<column + 1).mean
                let found = Self.statistics(quiet[keyPath: plane], column..<column + 1).mean
                #expect(abs(found - expected) < step / 7, "column \(column): \(found) for \(expected), step \(step)")
            }
        }
    }

    @Test("Nothing changes at low ISO speeds, without an ISO speed, or if noise reduction is off", arguments: layouts)
    func low(layout: SensorLayout) throws {
        for speed in [nil, Float(100), 400] {
            let image = Self.image(layout, speed: speed)
            #expect(try Self.bytes(image, reduces: true) == Self.bytes(image, reduces: false))
        }
        let image = Self.image(layout, speed: 500)
        #expect(try Self.bytes(image, reduces: true) != Self.bytes(image, reduces: false))
    }

    @Test("Measured noise equals added noise", arguments: layouts)
    func level(layout: SensorLayout) throws {
        for speed in [Float(800), 3200, 12_800] {
            let found = NoiseLevel(Self.image(layout, speed: speed))
            let expected = (0.25 * speed / 4_000_000).squareRoot()
            #expect((0.85...1.25).contains(found.deviation / expected), "\(speed): \(found.deviation) for \(expected)")
            #expect(found.strength == (speed < 1600 ? 0.5 : 1))
        }
        for speed in [nil, Float.nan, 100, 400] {
            let level = NoiseLevel(Self.image(layout, speed: speed))
            #expect(level.strength == 0 && level.deviation > 0)
        }
    }
}
