package import PictureFormat
package import Pixels

/// The sensor samples of a picture, for loops that read them without checks. The initializer proves that every sample
/// of the picture's area lies inside the plane.
package struct SensorSamples {
    /// Sample (0, 0) of the plane.
    let first: UnsafePointer<UInt16>
    let strideSamples: Int
    /// The picture inside the plane, in pixels.
    package let crop: PixelRect
    let samplesPerPixel: Int
    /// Factors of the light above black; nil for none.
    let gains: GainRows?

    /// Nil unless the picture has at least one pixel and lies inside the plane.
    ///
    /// - Parameters:
    ///   - image: must outlive the value, which keeps a pointer to its plane.
    ///   - area: the part of the plane to read, in pixels; nil for the picture's.
    ///   - gains: factors of its light above black.
    package init?(_ image: borrowing SensorImage, area: PixelRect? = nil, gains: [SampleGain] = []) {
        let crop = area ?? image.facts.crop
        let samples = image.facts.layout.samplesPerPixel
        let (width, height) = (image.plane.width / samples, image.plane.height)
        guard crop.x >= 0, crop.y >= 0, crop.size.width > 0, crop.size.height > 0, crop.size.width <= width,
            crop.size.height <= height, crop.x <= width - crop.size.width, crop.y <= height - crop.size.height
        else { return nil }
        first = UnsafePointer(image.plane.row(0))
        strideSamples = image.plane.strideSamples
        samplesPerPixel = samples
        self.gains = GainRows(gains)
        self.crop = crop
    }

    /// Sample 0 of row `y` of the picture; the row has `crop.size.width` pixels.
    func row(_ y: Int) -> UnsafePointer<UInt16> {
        first + (crop.y + y) * strideSamples + crop.x * samplesPerPixel
    }

    func peak(row y: Int, count: Int) -> UInt16 {
        let row = row(y)
        var peak: UInt16 = 0
        for x in 0..<count { peak = peak > row[x] ? peak : row[x] }
        return peak
    }
}
