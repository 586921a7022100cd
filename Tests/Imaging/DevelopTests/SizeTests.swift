import Develop
import PictureFormat
import Pixels
import Testing

@Suite("Sizes")
struct SizeTests {
    private func size(_ crop: PixelSize, aspect: Double = 1, _ settings: DevelopSettings, preview: Int? = nil) throws
        -> (full: PixelSize, preview: PixelSize?)
    {
        var facts = Sensors.facts(.monochrome, crop)
        facts.pixelAspect = aspect
        var context = DevelopContext()
        let developed = try context.develop(
            Sensors.image(facts) { x, y in x + y }, settings: settings, preview: preview)
        switch developed.preview {
        case .some(let small): return (developed.full.size, small.size)
        case .none: return (developed.full.size, nil)
        }
    }

    @Test("A long edge is met exactly and never enlarges, and the preview is no longer than the picture")
    func longEdge() throws {
        let crop = PixelSize(width: 301, height: 200)
        #expect(try size(crop, DevelopSettings(longEdge: 100)).full == PixelSize(width: 100, height: 66))
        #expect(try size(crop, DevelopSettings(longEdge: 301)).full == crop)
        #expect(try size(crop, DevelopSettings(longEdge: 5000)).full == crop)
        #expect(try size(crop, DevelopSettings(longEdge: 1)).full == PixelSize(width: 1, height: 1))
        #expect(try size(crop, DevelopSettings(), preview: 64).preview == PixelSize(width: 64, height: 43))
        #expect(try size(crop, DevelopSettings(), preview: 2048).preview == crop)
        #expect(try size(crop, DevelopSettings(longEdge: 50), preview: 64).preview?.width == 50)
    }

    @Test("Non-square pixels become square by refining the coarser direction")
    func aspect() throws {
        let crop = PixelSize(width: 100, height: 60)
        #expect(try size(crop, aspect: 2, DevelopSettings()).full == PixelSize(width: 200, height: 60))
        #expect(try size(crop, aspect: 0.5, DevelopSettings()).full == PixelSize(width: 100, height: 120))
    }

    @Test("A flat field stays flat at any size, and a ramp stays a ramp", arguments: [3, 17, 40, 99, 150, 299])
    func flat(edge: Int) throws {
        var context = DevelopContext()
        let facts = Sensors.facts(.monochrome, PixelSize(width: 300, height: 211))
        let settings = DevelopSettings(brightness: .asExposed, longEdge: edge)
        let whole = Bytes(
            try context.develop(Sensors.image(facts) { _, _ in 900 }, settings: DevelopSettings(brightness: .asExposed))
                .full)
        let flat = Bytes(try context.develop(Sensors.image(facts) { _, _ in 900 }, settings: settings).full)
        #expect(flat.luma.allSatisfy { abs(Int($0) - Int(whole.luma[0])) <= 1 })
        let ramp = Bytes(try context.develop(Sensors.image(facts) { x, _ in 100 + 10 * x }, settings: settings).full)
        for row in 0..<ramp.size.height {
            let line = ramp.luma[(row * ramp.size.width)..<((row + 1) * ramp.size.width)]
            #expect(zip(line, line.dropFirst()).allSatisfy { $0 <= $1 })
        }
    }
}
