import Foundation
import PictureFormat
import Pixels
import Testing

@testable import Develop

@Suite("Detail")
struct DetailTests {
    static let layouts = [
        SensorLayout.bayer(Sensors.phases[0]), .bayer(Sensors.phases[3]), Sensors.xTrans, .linearRGB, .monochrome,
    ]
    private static let size = PixelSize(width: 192, height: 96)

    /// Grey light by column, 0…1 of saturation, recorded by a sensor with 40,000 electrons at ISO 100.
    private static func image(
        _ layout: SensorLayout, speed: Float = 100, noisy: Bool = false, light: (Double) -> Double
    )
        -> SensorImage
    {
        var random = Sensors.Random(state: 77)
        var facts = Sensors.facts(layout, size)
        facts.isoSpeed = speed
        let electrons = 40_000 * 100 / Double(speed)
        let balance = layout == .monochrome ? [1, 1, 1] : [2, 1, 1.5]
        return Sensors.image(facts) { x, y in
            let grey = light(Double(x / layout.samplesPerPixel)) / balance[layout.channel(x: x, y: y)]
            // The sum of twelve uniform numbers is close enough to a normal one.
            let normal = noisy ? (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0...1, using: &random) } : 0
            return Int(((grey + (grey * electrons + 9).squareRoot() / electrons * normal) * 3936 + 64).rounded())
        }
    }

    /// A dark and a bright half, drawn by a lens with a blur of 0.7 pixels.
    private static func edge(_ x: Double) -> Double { 0.15 + 0.125 * (1 + erf((x - 96) / (0.7 * 2.0.squareRoot()))) }

    private static func luma(
        _ image: borrowing SensorImage, sharpening: Float, noise: Float? = 0, longEdge: Int? = nil
    ) throws -> Bytes {
        var context = DevelopContext()
        let settings = DevelopSettings(
            brightness: .asExposed, longEdge: longEdge, noiseReduction: noise, sharpening: sharpening,
            subsampling: .none)
        return Bytes(try context.develop(image, settings: settings).full)
    }

    /// The mean of each column, away from the picture's upper and lower edge.
    private static func profile(_ bytes: Bytes) -> [Double] {
        let (width, rows) = (bytes.size.width, 8..<bytes.size.height - 8)
        return (0..<width).map { x in
            rows.reduce(0) { $0 + Double(bytes.luma[$1 * width + x]) } / Double(rows.count)
        }
    }

    private static func deviation(_ values: some Collection<Double>) -> Double {
        let mean = values.reduce(0, +) / Double(values.count)
        return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
    }

    private static func lumaDeviation(_ bytes: Bytes, _ columns: Range<Int>) -> Double {
        deviation(
            (8..<bytes.size.height - 8).flatMap { y in columns.map { Double(bytes.luma[y * bytes.size.width + $0]) } })
    }

    private static func steepest(_ profile: [Double]) -> Double {
        zip(profile, profile.dropFirst()).map { $1 - $0 }.max() ?? 0
    }

    @Test("An edge becomes steeper, does not move, and gets no halo", arguments: layouts)
    func edges(layout: SensorLayout) throws {
        let image = Self.image(layout, light: Self.edge)
        let plain = Self.profile(try Self.luma(image, sharpening: 0))
        let (dark, bright) = (plain[40], plain[150])
        var last = Self.steepest(plain)
        for sharpening in [Float(0.5), 1] {
            let sharp = Self.profile(try Self.luma(image, sharpening: sharpening))
            #expect(Self.steepest(sharp) > 1.07 * last, "\(Self.steepest(sharp)) after \(last)")
            last = Self.steepest(sharp)
            // Five of 255 levels at the usual strength are invisible.
            let tolerance = sharpening < 1 ? 5.0 : 10
            #expect(sharp[8..<184].allSatisfy { $0 > dark - tolerance && $0 < bright + tolerance })
            func middle(_ profile: [Double]) -> Double {
                zip(profile, profile.dropFirst()).enumerated().reduce(0) { $0 + Double($1.0) * ($1.1.1 - $1.1.0) }
                    / (bright - dark)
            }
            #expect(abs(middle(Array(sharp[80..<112])) - middle(Array(plain[80..<112]))) < 0.3)
        }
    }

    @Test("Fine stripes gain contrast; coarse stripes and flat fields stay unchanged", arguments: layouts)
    func stripes(layout: SensorLayout) throws {
        func contrast(_ cycles: Double, _ sharpening: Float) throws -> Double {
            let image = Self.image(layout) { 0.3 + 0.05 * sin(2 * .pi * cycles * $0) }
            return Self.deviation(Self.profile(try Self.luma(image, sharpening: sharpening))[16..<176])
        }
        for (cycles, gains) in [(0.35, 1.25...1.7), (0.25, 1.1...1.5), (0.03, 0.98...1.03)] {
            let gain = try contrast(cycles, 0.5) / contrast(cycles, 0)
            #expect(gains.contains(gain), "\(cycles): \(gain)")
        }
        let flat = Self.image(layout) { _ in 0.3 }
        #expect(try Self.luma(flat, sharpening: 1) == Self.luma(flat, sharpening: 0))
    }

    @Test("Variation within the noise is not sharpened", arguments: layouts)
    func flatNoise(layout: SensorLayout) throws {
        for speed in [Float(100), 400, 3200] {
            let image = Self.image(layout, speed: speed, noisy: true) { _ in 0.3 }
            let plain = Self.lumaDeviation(try Self.luma(image, sharpening: 0), 8..<184)
            let sharp = Self.lumaDeviation(try Self.luma(image, sharpening: 0.5), 8..<184)
            #expect(sharp < 1.1 * plain, "ISO \(speed): \(sharp) for \(plain)")
        }
    }

    @Test("Noise of high ISO speeds is reduced in brightness, and edges stay sharp", arguments: layouts)
    func luminanceNoise(layout: SensorLayout) throws {
        let image = Self.image(layout, speed: 3200, noisy: true, light: Self.edge)
        let (noisy, quiet) = (try Self.luma(image, sharpening: 0), try Self.luma(image, sharpening: 0, noise: nil))
        for columns in [8..<88, 104..<184] {
            let (before, after) = (Self.lumaDeviation(noisy, columns), Self.lumaDeviation(quiet, columns))
            #expect(after < 0.93 * before, "\(after) for \(before)")
        }
        let before = Self.steepest(Self.profile(noisy))
        let after = Self.steepest(Self.profile(quiet))
        let usual = Self.steepest(Self.profile(try Self.luma(image, sharpening: 0.5, noise: nil)))
        #expect(after > 0.85 * before && usual > before, "\(after) and \(usual) for \(before)")
    }

    @Test("A smaller picture is sharpened at its own resolution", arguments: layouts)
    func smaller(layout: SensorLayout) throws {
        let image = Self.image(layout, light: Self.edge)
        let plain = Self.profile(try Self.luma(image, sharpening: 0, longEdge: 80))
        let sharp = Self.profile(try Self.luma(image, sharpening: 1, longEdge: 80))
        #expect(plain.count == 80 && Self.steepest(sharp) > 1.05 * Self.steepest(plain))
        // The downscaling filter also sharpens a little.
        let (least, most) = (plain.min() ?? 0, plain.max() ?? 0)
        let found = (sharp[4..<76].min() ?? 0, sharp[4..<76].max() ?? 0)
        #expect(found.0 > least - 8 && found.1 < most + 8, "\(found) for \((least, most))")
    }
}
