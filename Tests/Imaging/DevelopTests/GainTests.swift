import PictureFormat
import Pixels
import Testing

@testable import Develop

@Suite("Factors of light") struct GainTests {
    private static let size = PixelSize(width: 613, height: 70)
    private static let layouts: [SensorLayout] =
        Sensors.phases.map { .bayer($0) } + [Sensors.xTrans, .monochrome, .linearRGB]

    /// A map that falls and rises over the picture, vignetting, and brighter rows and columns.
    private static func gains() throws -> [SampleGain] {
        let whole = try #require(PixelLattice(PixelRect(x: 0, y: 0, size: PixelSize(width: 640, height: 96))))
        let everyThird = try #require(
            PixelLattice(
                PixelRect(x: 7, y: 5, size: PixelSize(width: 500, height: 40)), rowPitch: 3, columnPitch: 1))
        let horizontal = try #require(GainMap.Axis(origin: 20.5, spacing: 150.25, count: 4))
        let vertical = try #require(GainMap.Axis(origin: -10, spacing: 40, count: 3))
        let factors: [Float] = [2, 1.2, 1.4, 1.9, 1.6, 1, 1.1, 1.5, 2.1, 1.3, 1.2, 1.8]
        let map = try #require(GainMap(horizontal: horizontal, vertical: vertical, planes: 1, factors: factors))
        let radial = try #require(
            RadialGain(centreX: 300, centreY: 40, distance: 320, coefficients: [0.3, 0.1, -0.05, 0, 0]))
        let gains = [
            SampleGain(area: whole, factor: .map(map)), SampleGain(area: whole, factor: .radial(radial)),
            SampleGain(area: everyThird, channels: 0...0, factor: .rows((0..<14).map { 1 + Float($0) / 50 })),
            SampleGain(area: whole, channels: 2...2, factor: .columns((0..<640).map { 1 + Float($0 % 5) / 30 })),
        ].compactMap { $0 }
        try #require(gains.count == 4)
        return gains
    }

    private static func facts(_ layout: SensorLayout) -> SensorFacts {
        var facts = Sensors.facts(layout, size)
        facts.crop.x = 5
        facts.crop.y = 3
        return facts
    }

    private static func develop(
        _ facts: SensorFacts, exposure: Float = 0, threads: Int = 1, value: (Int, Int) -> Int
    ) throws -> Bytes {
        var context = DevelopContext()
        let settings = DevelopSettings(
            exposure: exposure, brightness: .asExposed, noiseReduction: 0, subsampling: .none, threads: threads)
        return Bytes(try context.develop(Sensors.image(facts, margin: 2, value: value), settings: settings).full)
    }

    @Test("Light divided by its factors is restored", arguments: layouts)
    func inverse(layout: SensorLayout) throws {
        var facts = Self.facts(layout)
        let gains = try Self.gains()
        func light(_ x: Int, _ y: Int) -> Float {
            300 + 500 * Float((x / layout.samplesPerPixel) % 97) / 97 + 200 * Float(y % 31) / 31
        }
        let plain = try Self.develop(facts) { x, y in Int(64 + light(x, y).rounded()) }
        facts.corrections.gains = gains
        let corrected = try Self.develop(facts) { x, y in
            let channel = layout.channel(x: x, y: y)
            let factor = gains.reduce(1) { $0 * $1.factor(x: x / layout.samplesPerPixel, y: y, channel: channel) }
            return Int((64 + light(x, y) / factor).rounded())
        }
        let differences = zip(plain.luma, corrected.luma).map { abs(Int($0) - Int($1)) }
        #expect(differences.max() ?? 0 <= 2)
        #expect(differences.reduce(0, +) * 4 < differences.count)
    }

    @Test("Burnt areas stay even and neutral, also two stops darker", arguments: layouts)
    func burnt(layout: SensorLayout) throws {
        var facts = Self.facts(layout)
        let plain = try Self.develop(facts, exposure: -2) { _, _ in 4000 }
        facts.corrections.gains = Array(try Self.gains().prefix(2))
        let corrected = try Self.develop(facts, exposure: -2) { _, _ in 4000 }
        #expect(Set(corrected.luma) == Set(plain.luma))
        #expect(Set(corrected.luma).count == 1)
        #expect(Set(corrected.cb) == Set(plain.cb) && Set(corrected.cr) == Set(plain.cr))
    }

    @Test("The bytes are the same for any number of threads", arguments: layouts)
    func threads(layout: SensorLayout) throws {
        var facts = Self.facts(layout)
        facts.corrections.gains = try Self.gains()
        var random = Sensors.Random(state: 9)
        var values: [Int] = []
        for _ in 0..<4096 { values.append(Int.random(in: 64...4000, using: &random)) }
        func value(_ x: Int, _ y: Int) -> Int { values[(x * 31 + y * 517) & 4095] }
        let one = try Self.develop(facts, value: value)
        for threads in [2, 7] { #expect(try Self.develop(facts, threads: threads, value: value) == one) }
    }
}
