import PictureFormat
import Pixels

/// A number that depends only on a picture's samples, so that random effects are reproducible but differ between
/// pictures.
struct PictureSeed {
    let value: UInt64

    /// Evenly spaced rows that are hashed.
    private static let rows = 32

    /// `SensorValidation` has checked the image.
    init(_ image: borrowing SensorImage) {
        // FNV-1a (G. Fowler, L. C. Noll and K.-P. Vo, 1991), one sample at a time.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ number: Int) { hash = (hash ^ UInt64(truncatingIfNeeded: number)) &* 0x100_0000_01B3 }
        let crop = image.facts.crop
        let perPixel = image.facts.layout.samplesPerPixel
        add(crop.size.width)
        add(crop.size.height)
        let step = max(crop.size.height / Self.rows, 1)
        for y in stride(from: 0, to: crop.size.height, by: step) {
            // Validation proves that the picture lies inside the plane.
            let line = unsafe image.plane.row(crop.y + y) + crop.x * perPixel
            for x in 0..<crop.size.width * perPixel { unsafe add(Int(line[x])) }
        }
        value = hash
    }
}
