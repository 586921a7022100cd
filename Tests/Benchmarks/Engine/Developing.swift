import Develop
import PictureFormat
import Pixels

/// The cost of making a picture from a mosaic, including interpolation.
enum Developing {
    /// Prints milliseconds of one thread, the least of several turns.
    static func run(_ image: borrowing SensorImage) throws {
        var context = DevelopContext()
        var least = Double.infinity
        for _ in 0..<7 {
            let start = Timing.now(1)
            let size = try context.develop(image).full.size
            if size.width > 0 { least = min(least, Timing.now(1) - start) }
        }
        print(least)
    }
}
