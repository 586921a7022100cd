import Develop
import Pixels

/// What interpolating a mosaic costs: developing it, against developing the same samples as if they were grey.
enum Interpolation {
    /// Prints milliseconds of one thread: whole, and as grey; the least of several turns.
    static func run(_ image: borrowing SensorImage) throws {
        let plane = Plane<UInt16>(width: image.plane.width, height: image.plane.height)
        for y in 0..<plane.height { plane.row(y).update(from: image.plane.row(y), count: plane.width) }
        var facts = image.facts
        facts.layout = .monochrome
        let grey = SensorImage(plane: plane, facts: facts)
        var context = DevelopContext()
        var whole = Double.infinity
        var plain = Double.infinity
        for _ in 0..<7 {
            whole = min(whole, try time(&context, image))
            plain = min(plain, try time(&context, grey))
        }
        print("\(whole) \(plain)")
    }

    private static func time(_ context: inout DevelopContext, _ image: borrowing SensorImage) throws -> Double {
        let start = Timing.now(1)
        let size = try context.develop(image).full.size
        return size.width > 0 ? Timing.now(1) - start : .infinity
    }
}
