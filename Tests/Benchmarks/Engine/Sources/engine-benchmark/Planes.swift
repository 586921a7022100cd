import Develop
import Pixels
import Synchronization

/// The interpolated colours of a mosaic, caught on their way by a stage that works on scene light: the camera's own, or
/// light in Rec. 2020 primaries.
enum Planes {
    static func runScene(_ image: borrowing SensorImage, to path: String) throws {
        let catcher = Catcher(size: image.facts.crop.size)
        var context = DevelopContext()
        _ = try context.develop(image, look: catcher)
        try writeFile(path, UnsafeRawBufferPointer(catcher.values))
        print("\(image.facts.crop.size.width) × \(image.facts.crop.size.height)")
    }

    static func run(_ image: borrowing SensorImage, to path: String) throws {
        // With this matrix the working space is the camera's own.
        let own = Matrix3([
            1.7166512, -0.3556708, -0.2533663, -0.6666844, 1.6164812, 0.0157685, 0.0176399, -0.0427706, 0.9421031,
        ])
        var facts = image.facts
        facts.whiteBalance = [1, 1, 1]
        facts.matrices = [CameraMatrix(illuminant: 21, xyzToCamera: own)]
        facts.baselineExposure = 0
        let plane = Plane<UInt16>(width: image.plane.width, height: image.plane.height)
        for y in 0..<plane.height { plane.row(y).update(from: image.plane.row(y), count: plane.width) }
        let catcher = Catcher(size: facts.crop.size)
        var context = DevelopContext()
        _ = try context.develop(
            SensorImage(plane: plane, facts: facts), settings: DevelopSettings(brightness: .asExposed), look: catcher)
        try writeFile(path, UnsafeRawBufferPointer(catcher.values))
        print("\(facts.crop.size.width) × \(facts.crop.size.height)")
    }

    /// One thread writes, each pixel once: that guards the memory.
    final class Catcher: RowStage, @unchecked Sendable {
        let place = StagePlace.sceneLinear
        let values: UnsafeMutableBufferPointer<Float>
        private let width: Int

        init(size: PixelSize) {
            width = size.width
            values = .allocate(capacity: 3 * size.pixelCount)
        }

        deinit { values.deallocate() }

        func process(_ row: PixelRow) {
            for i in 0..<row.count {
                let at = 3 * (row.y * width + row.x + i)
                values[at] = row.red[i]
                values[at + 1] = row.green[i]
                values[at + 2] = row.blue[i]
            }
        }
    }
}
