import Develop
import PictureFormat
import Pixels
import Testing

@Suite("Neutral stays neutral")
struct NeutralTests {
    @Test("A flat grey field has no colour at any brightness, up to and beyond saturation", arguments: Sensors.phases)
    func flatFields(phase: [CFAColour]) throws {
        var context = DevelopContext()
        let size = PixelSize(width: 33, height: 21)
        let gains: [CFAColour: Double] = [.red: 2, .green: 1, .blue: 1.5]
        var last = -1
        for step in 0...40 {
            let light = Double(step) / 15
            let image = Sensors.image(Sensors.facts(.bayer(phase), size)) { x, y in
                let colour = phase[(y & 1) * 2 + (x & 1)]
                return min(4000, Int((64 + 3936 * light / (gains[colour] ?? 1)).rounded()))
            }
            let bytes = Bytes(try context.develop(image, settings: DevelopSettings(brightness: .asExposed)).full)
            let luma = Int(bytes.luma[0])
            #expect(bytes.luma.allSatisfy { abs(Int($0) - luma) <= 1 })
            #expect(bytes.cb.allSatisfy { abs(Int($0) - 128) <= 1 })
            #expect(bytes.cr.allSatisfy { abs(Int($0) - 128) <= 1 })
            #expect(luma >= last)
            last = luma
        }
        #expect(last >= 250)
    }

    @Test("Black is black")
    func black() throws {
        var context = DevelopContext()
        let image = Sensors.image(Sensors.facts(.linearRGB, PixelSize(width: 5, height: 5))) { _, _ in 10 }
        #expect(Bytes(try context.develop(image).full).luma.allSatisfy { $0 == 0 })
    }
}
