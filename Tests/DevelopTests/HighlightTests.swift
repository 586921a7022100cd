import Develop
import Pixels
import Testing

@Suite("Highlights")
struct HighlightTests {
    /// Cb and Cr of a flat field of this balanced light, saturated as a sensor would.
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

    @Test("A light that is brightened past saturation never turns magenta: green is never left behind both others")
    func neverMagenta() throws {
        for tint in [(1.0, 1.0, 1.0), (1.1, 1.0, 0.8), (0.8, 1.0, 1.2), (1.0, 0.9, 1.0), (1.4, 1.0, 0.4)] {
            let start = try chroma((tint.0 * 0.5, tint.1 * 0.5, tint.2 * 0.5))
            for step in 0...30 {
                let gain = 0.5 + Double(step) * 0.15
                let now = try chroma((tint.0 * gain, tint.1 * gain, tint.2 * gain))
                // Magenta is both chroma signals up; neither may rise beyond what the unsaturated colour has.
                #expect(min(now.cb, now.cr) <= max(min(start.cb, start.cr), 0) + 3, "tint \(tint) gain \(gain)")
            }
        }
    }

    @Test("What saturates all channels is white")
    func white() throws {
        let all = try chroma((9, 9, 9))
        #expect(all.luma == 255 && all.cb == 0 && all.cr == 0)
    }
}
