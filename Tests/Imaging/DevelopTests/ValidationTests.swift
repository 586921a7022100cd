import Develop
import PictureFormat
import Pixels
import Testing

@Suite("Validation")
struct ValidationTests {
    private let size = PixelSize(width: 16, height: 12)

    private func rejects(_ change: (inout SensorFacts) -> Void) -> Bool {
        var facts = Sensors.facts(.bayer(Sensors.phases[0]), size)
        let plane = Plane<UInt16>(width: 16, height: 12)
        for y in 0..<12 { plane.row(y).update(repeating: 500, count: 16) }
        change(&facts)
        var context = DevelopContext()
        do {
            _ = try context.develop(SensorImage(plane: plane, facts: facts), preview: 8)
            return false
        } catch {
            return !error.description.isEmpty
        }
    }

    @Test("Facts that contradict the samples or are not finite are refused")
    func facts() {
        #expect(!rejects { _ in })
        #expect(rejects { $0.crop.x = 1 })
        #expect(rejects { $0.crop.x = -1 })
        #expect(rejects { $0.crop.y = .max })
        #expect(rejects { $0.crop.size.height = .max })
        #expect(rejects { $0.crop.size.width = 0 })
        #expect(rejects { $0.crop.size.width = 1 })
        #expect(rejects { $0.layout = .bayer([.red, .red, .green, .blue]) })
        #expect(rejects { $0.layout = .bayer([]) })
        #expect(rejects { $0.layout = .xTrans([]) })
        #expect(rejects { $0.layout = .linearRGB })
        #expect(rejects { $0.white = [4000] })
        #expect(rejects { $0.white = [4000, .nan, 4000] })
        #expect(rejects { $0.white = [60, 60, 60] })
        #expect(rejects { $0.whiteBalance = [1, 1] })
        #expect(rejects { $0.whiteBalance = [1, 0, 1] })
        #expect(rejects { $0.whiteBalance = [1, .infinity, 1] })
        #expect(rejects { $0.pixelAspect = .nan })
        #expect(rejects { $0.pixelAspect = 0 })
        #expect(rejects { $0.baselineExposure = .infinity })
    }

    @Test("Unusable matrices still give a picture, with guessed colours")
    func matrices() throws {
        var context = DevelopContext()
        let zero = Matrix3([Float](repeating: 0, count: 9))
        let infinite = Matrix3([.infinity, 0, 0, 0, 1, 0, 0, 0, 1])
        for matrix in [zero, infinite] {
            var facts = Sensors.facts(.bayer(Sensors.phases[0]), size)
            facts.matrices = [CameraMatrix(illuminant: nil, xyzToCamera: matrix)]
            let developed = try context.develop(Sensors.image(facts) { x, y in 64 + 97 * x + 31 * y })
            #expect(developed.facts.coloursAreGuessed)
        }
        var facts = Sensors.facts(.bayer(Sensors.phases[0]), size)
        facts.whiteBalance = [900, 1, 0.002]
        let developed = try context.develop(Sensors.image(facts) { x, y in 64 + 97 * x + 31 * y })
        #expect(!developed.facts.coloursAreGuessed)
    }

    @Test("Settings out of range are refused")
    func settings() {
        var context = DevelopContext()
        let wrong = [
            DevelopSettings(exposure: .nan), DevelopSettings(exposure: 11), DevelopSettings(longEdge: 0),
            DevelopSettings(whiteBalance: .temperature(kelvin: 100, tint: 0)),
        ]
        for settings in wrong {
            let image = Sensors.image(Sensors.facts(.monochrome, size)) { _, _ in 100 }
            #expect(throws: DevelopError.self) { _ = try context.develop(image, settings: settings).full.size }
        }
    }
}
