import Develop
import PictureFormat
import Pixels
import Synchronization

/// The interpolated colours of a mosaic, recorded by a stage on scene light: in the camera's colours, or in Rec. 2020
/// primaries.
enum Planes {
    static func runScene(_ image: borrowing SensorImage, to path: String) throws {
        let catcher = Catcher(size: image.facts.crop.size)
        var context = DevelopContext()
        _ = try context.develop(image, look: catcher)
        try writeFile(path, UnsafeRawBufferPointer(catcher.values))
        print("\(image.facts.crop.size.width) × \(image.facts.crop.size.height)")
    }

    /// The first nine numbers are the results of red, green and blue at half saturation, in order. From them a reader
    /// computes and removes any gain.
    static func run(_ image: borrowing SensorImage, to path: String, reducesNoise: Bool) throws {
        let facts = inOwnColours(image.facts)
        let plane = Plane<UInt16>(width: image.plane.width, height: image.plane.height)
        for y in 0..<plane.height { plane.row(y).update(from: image.plane.row(y), count: plane.width) }
        let pure = try caught(pureColours(facts), reducesNoise: false)
        let catcher = try caught(SensorImage(plane: plane, facts: facts), reducesNoise: reducesNoise)
        try writeFile(path, UnsafeRawBufferPointer(pure.values), UnsafeRawBufferPointer(catcher.values))
        print("\(facts.crop.size.width) × \(facts.crop.size.height)")
    }

    private static func caught(_ image: borrowing SensorImage, reducesNoise: Bool) throws -> Catcher {
        let catcher = Catcher(size: image.facts.crop.size)
        var context = DevelopContext()
        let settings = DevelopSettings(brightness: .asExposed, noiseReduction: reducesNoise ? nil : 0)
        _ = try context.develop(image, settings: settings, look: catcher)
        return catcher
    }

    /// Facts with a matrix that makes the camera's balanced colours those of the working space.
    private static func inOwnColours(_ facts: SensorFacts) -> SensorFacts {
        let own: [Float] = [
            1.7166512, -0.3556708, -0.2533663, -0.6666844, 1.6164812, 0.0157685, 0.0176399, -0.0427706, 0.9421031,
        ]
        let balance = facts.whiteBalance ?? [1, 1, 1]
        var changed = facts
        let matrix = Matrix3(own.indices.map { own[$0] / balance[$0 / 3] })
        changed.matrices = [CameraMatrix(illuminant: 21, xyzToCamera: matrix)]
        changed.baselineExposure = 0
        changed.orientation = .upright
        return changed
    }

    /// Three pixels of one pure colour each.
    private static func pureColours(_ facts: SensorFacts) -> SensorImage {
        let plane = Plane<UInt16>(width: 9, height: 1)
        let black = facts.black.values[0]
        for x in 0..<9 {
            let colour = x % 3
            let level = black + (facts.white[colour] - black) * 0.5
            plane.row(0)[x] = UInt16(colour == x / 3 ? level : black)
        }
        var changed = facts
        changed.layout = .linearRGB
        changed.crop = PixelRect(x: 0, y: 0, size: PixelSize(width: 3, height: 1))
        changed.black = BlackLevels(repeatSize: PixelSize(width: 1, height: 1), values: [black]) ?? .zero
        return SensorImage(plane: plane, facts: changed)
    }

    /// Safe without a lock: one thread writes, and each pixel once.
    final class Catcher: RowStage, @unchecked Sendable {
        let position = StagePosition.sceneLinear
        let values: UnsafeMutableBufferPointer<Float>
        private let size: PixelSize

        init(size: PixelSize) {
            self.size = size
            values = .allocate(capacity: 3 * size.pixelCount)
        }

        deinit { values.deallocate() }

        func process(_ row: PixelRow) {
            // Squares of pixels may extend beyond an odd edge.
            guard (0..<size.height).contains(row.y) else { return }
            for i in 0..<row.count where (0..<size.width).contains(row.column(i)) {
                let at = 3 * (row.y * size.width + row.column(i))
                values[at] = row.red[i]
                values[at + 1] = row.green[i]
                values[at + 2] = row.blue[i]
            }
        }
    }
}
