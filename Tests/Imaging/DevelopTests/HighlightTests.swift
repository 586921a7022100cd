import Foundation
import PictureFormat
import Pixels
import Testing

@testable import Develop

@Suite("Highlights")
struct HighlightTests {
    /// Cb, Cr and luma of a flat field of balanced light, saturated as on a sensor.
    private func chroma(_ light: (Double, Double, Double)) throws -> (cb: Int, cr: Int, luma: Int) {
        var context = DevelopContext()
        let phase = Sensors.phases[0]
        let facts = Sensors.facts(.bayer(phase), PixelSize(width: 24, height: 16))
        let counts: [CFAColour: Int] = [
            .red: count(light.0 / 2), .green: count(light.1), .blue: count(light.2 / 1.5),
        ]
        let image = Sensors.image(facts) { x, y in counts[phase[(y & 1) * 2 + (x & 1)]] ?? 0 }
        let bytes = Bytes(try context.develop(image, settings: DevelopSettings(brightness: .asExposed)).full)
        return (Int(bytes.cb[0]) - 128, Int(bytes.cr[0]) - 128, Int(bytes.luma[0]))
    }

    private func count(_ share: Double) -> Int { min(4000, Int(64 + 3936 * share)) }

    @Test("A brightening light never turns magenta after saturation")
    func neverMagenta() throws {
        for tint in [(1.0, 1.0, 1.0), (1.1, 1.0, 0.8), (0.8, 1.0, 1.2), (1.0, 0.9, 1.0), (1.4, 1.0, 0.4)] {
            let start = try chroma((tint.0 * 0.5, tint.1 * 0.5, tint.2 * 0.5))
            for step in 0...30 {
                let gain = 0.5 + Double(step) * 0.15
                let now = try chroma((tint.0 * gain, tint.1 * gain, tint.2 * gain))
                // In magenta both chroma signals are high; neither may exceed that of the unsaturated colour.
                #expect(min(now.cb, now.cr) <= max(min(start.cb, start.cr), 0) + 3, "tint \(tint) gain \(gain)")
            }
        }
    }

    @Test("A light that saturates all channels is white")
    func white() throws {
        let all = try chroma((9, 9, 9))
        #expect(all.luma == 255 && all.cb == 0 && all.cr == 0)
    }

    @Test("A lamp whose samples saturate below the white level is also white, for any hue", arguments: 0..<4)
    func earlySaturation(hue: Int) throws {
        var context = DevelopContext()
        let phase = Sensors.phases[hue]
        let facts = Sensors.facts(.bayer(phase), PixelSize(width: 240, height: 240))
        let tint: [SIMD3<Double>] = [[1, 1, 1], [1.3, 1, 0.5], [0.6, 1, 1.4], [0.7, 1.2, 0.8]]
        var random = Sensors.Random(state: 11)
        // A glow that is brightest in the middle, on a sensor that saturates near 3740 of 4000.
        let image = Sensors.image(facts) { x, y in
            let (dx, dy) = (Double(x - 120) / 40, Double(y - 120) / 40)
            let channel = Int(phase[(y & 1) * 2 + (x & 1)].rawValue)
            let light = 40 / (1 + (dx * dx + dy * dy) * 8) * tint[hue][channel] / [2, 1, 1.5][channel]
            return min(Int(64 + 3936 * light), 3740 + Int.random(in: -8...8, using: &random))
        }
        let bytes = Bytes(try context.develop(image, settings: DevelopSettings(brightness: .asExposed)).full)
        let middle = 60 * bytes.chromaSize.width + 60
        #expect(abs(Int(bytes.cb[middle]) - 128) <= 2 && abs(Int(bytes.cr[middle]) - 128) <= 2)
        #expect(bytes.luma[120 * 240 + 120] >= 250)
        for i in bytes.cb.indices {
            // In magenta both chroma signals are high.
            #expect(min(Int(bytes.cb[i]), Int(bytes.cr[i])) - 128 <= 8, "at \(i)")
        }
    }

    /// Balanced light of a lamp, relative to its largest channel.
    static let lamps: [(name: String, hue: SIMD3<Double>)] = [
        ("amber", [1, 0.5, 0.1]), ("red", [1, 0.06, 0.04]), ("green", [0.08, 0.9, 0.2]), ("blue", [0.06, 0.16, 1]),
        ("violet", [0.9, 0.1, 0.8]), ("warm white", [1, 0.93, 0.82]), ("sky", [0.6, 0.8, 1]),
    ]

    @Test(
        "A lamp keeps its hue while it burns out, fades towards white, and never becomes darker",
        arguments: lamps.indices, [Float(0), -2])
    func lamp(index: Int, exposure: Float) throws {
        let lamp = Self.lamps[index]
        let settings = DevelopSettings(exposure: exposure, brightness: .asExposed, subsampling: .none)
        // From its edge to its middle, which is 30 times the sensor's limit.
        let burnt = try Self.colours(lamp.hue, peak: 30, settings)
        // The same hue without saturation, at the same brightness on the sensor.
        let whole = try Self.colours(lamp.hue, peak: 0.8, settings).last ?? .zero
        let hue = Self.angle(whole)
        var (luma, strongest) = (0.0, 0.0)
        for (place, colour) in burnt.enumerated() {
            let chroma = (colour.y * colour.y + colour.z * colour.z).squareRoot()
            let turned = abs(remainder(Self.angle(colour) - hue, 360))
            // Weak colours have no reliable hue.
            if chroma > 12 { #expect(turned < 28, "\(lamp.name) at \(place): turned by \(turned), \(colour)") }
            #expect(colour.x >= luma - 10, "\(lamp.name) at \(place): darker, \(colour) after \(luma)")
            (luma, strongest) = (max(luma, colour.x), max(strongest, chroma))
        }
        let middle = try #require(burnt.last)
        // Two stops darker, white is no longer display white.
        #expect(
            middle.x >= (exposure < 0 ? 220 : 250) && abs(middle.y) <= 2 && abs(middle.z) <= 2,
            "\(lamp.name) ends as \(middle)")
        #expect(
            strongest <= 1.5 * (whole.y * whole.y + whole.z * whole.z).squareRoot() + 12, "\(lamp.name): too strong")
    }

    private static func angle(_ colour: SIMD3<Double>) -> Double {
        atan2(colour.z, colour.y) * 180 / .pi
    }

    /// Luma, and Cb and Cr minus 128, along a row from the edge of a lamp to its middle.
    private static func colours(
        _ hue: SIMD3<Double>, peak: Double, _ settings: DevelopSettings
    ) throws -> [SIMD3<Double>] {
        var context = DevelopContext()
        let phase = Sensors.phases[0]
        let facts = Sensors.facts(.bayer(phase), PixelSize(width: 320, height: 30))
        let glow = (0..<320).map { exp(-1.6 * abs(Double($0 - 160)) / 60) }
        let image = Sensors.image(facts) { x, y in
            let channel = Int(phase[(y & 1) * 2 + (x & 1)].rawValue)
            // Balanced light whose largest multiplier saturates all channels.
            let light = 2 * peak * glow[x] * hue[channel] + 0.002
            return min(Int((64 + 3936 * light / [2, 1, 1.5][channel]).rounded()), 4000)
        }
        let bytes = Bytes(try context.develop(image, settings: settings).full)
        return (20...160).map { x in
            let index = 15 * 320 + x
            return SIMD3(Double(bytes.luma[index]), Double(bytes.cb[index]) - 128, Double(bytes.cr[index]) - 128)
        }
    }
}
