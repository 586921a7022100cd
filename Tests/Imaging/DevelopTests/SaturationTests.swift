import PictureFormat
import Pixels
import Testing

@testable import Develop

@Suite("Saturation of sensors")
struct SaturationTests {
    private static let black: Float = 64
    private static let white: Float = 4000

    /// Samples of normal noise with deviation 1: sums of twelve uniform numbers.
    private static let noise: [Double] = {
        var random = Sensors.Random(state: 3)
        return (0..<8192).map { _ in (0..<12).reduce(-6) { sum, _ in sum + .random(in: 0...1, using: &random) } }
    }()

    /// A Bayer sensor's record of light, relative to white: it saturates at `levels`, and a lossy encoder adds normal
    /// noise of this deviation.
    private static func picture(
        saturation levels: [Double], deviation: Double, seed: UInt64 = 5, _ light: (Int, Int) -> SIMD3<Double>
    ) -> SensorImage {
        var random = Sensors.Random(state: seed)
        let phase = Sensors.phases[0]
        let facts = Sensors.facts(
            .bayer(phase), PixelSize(width: 960, height: 768), black: black, white: white)
        return Sensors.image(facts) { x, y in
            let channel = Int(phase[(y & 1) * 2 + (x & 1)].rawValue)
            let noise = noise[Int(truncatingIfNeeded: random.next() & 8191)] * deviation
            let share = min(light(x, y)[channel], levels[channel]) + noise
            return Int(Double(black) + Double(white - black) * min(share, 1))
        }
    }

    private static func shares(_ image: borrowing SensorImage) -> [Float] {
        SaturationEstimate.shares(image, black: black)
    }

    @Test("Saturation below white is found only where samples pile up")
    func noPile() {
        let facts = Sensors.facts(.bayer(Sensors.phases[0]), PixelSize(width: 240, height: 240))
        var random = Sensors.Random(state: 12)
        let ramp = Sensors.image(facts) { x, y in 64 + (x + y) * 8 + Int.random(in: -20...20, using: &random) }
        #expect(Self.shares(ramp) == [1, 1, 1])
        let clipped = Sensors.image(facts) { x, y in min(64 + (x + y) * 12, 4000) }
        #expect(Self.shares(clipped) == [1, 1, 1])
        let early = Sensors.image(facts) { x, y in min(64 + (x + y) * 12, 3700) }
        #expect(Self.shares(early).allSatisfy { abs($0 - 3636.0 / 3936) < 0.003 })
    }

    /// Neutral light from dark to burnt, as raw channels before the white balance.
    private static func sky(_ x: Int, _ y: Int) -> SIMD3<Double> {
        let light = 0.1 + Double(x) / 300 + Double(y) / 1500
        return SIMD3(0.5, 1, 0.66) * light
    }

    @Test(
        "Found under symmetric overshoot, channel by channel, below most of the pile", arguments: [0.003, 0.006, 0.01])
    func overshoot(deviation: Double) {
        let levels = [0.98, 0.945, 0.92]
        let shares = Self.shares(Self.picture(saturation: levels, deviation: deviation, Self.sky))
        for channel in 0..<3 {
            let below = levels[channel] - Double(shares[channel])
            #expect(below > -0.002 && below < 3 * deviation + 0.004, "\(channel): \(shares)")
        }
    }

    @Test("A channel without its own pile is bounded by the others")
    func bound() {
        let shares = Self.shares(
            Self.picture(saturation: [1, 0.945, 1], deviation: 0.006) { x, y in
                let light = min(0.1 + Double(x) / 600 + Double(y) / 3000, 1.4)
                return SIMD3(0.5, 1, 0.6) * light
            })
        #expect(shares.allSatisfy { $0 > 0.92 && $0 < 0.95 }, "\(shares)")
    }

    @Test("A smooth bright wall is not saturated at any brightness", arguments: [0.8, 0.85, 0.9, 0.94])
    func wall(brightness: Double) {
        for deviation in [0.001, 0.004, 0.008] {
            let shares = Self.shares(
                Self.picture(saturation: [1, 1, 1], deviation: deviation) { x, y in
                    guard x > 300 else { return SIMD3(0.1, 0.2, 0.15) }
                    // As even as walls are.
                    let light = brightness * (1 - 0.004 * Double((x / 40 + y / 30) % 5) / 4)
                    return SIMD3(0.5, 1, 0.66) * light
                })
            #expect(shares == [1, 1, 1], "\(deviation): \(shares)")
        }
    }
}
