public import PictureFormat

/// A small finished picture, 8-bit sRGB, such as a camera's own rendering made small: something to compare with.
public struct SmallPicture: Hashable, Sendable {
    /// Pixels a side at most.
    public static let longestEdge = 1024

    public let size: PixelSize
    /// Red, green, blue of each pixel, rows without gaps.
    public let samples: [UInt8]

    /// Nil unless the samples fit the size and no side is empty or longer than `longestEdge`.
    public init?(size: PixelSize, samples: [UInt8]) {
        let sides = 1...Self.longestEdge
        guard sides.contains(size.width), sides.contains(size.height), samples.count == size.pixelCount * 3 else {
            return nil
        }
        self.size = size
        self.samples = samples
    }

    /// Every so manyth pixel of a larger picture, so that no side is longer than `longestEdge`.
    ///
    /// - Parameter rgb: three bytes a pixel, rows without gaps.
    public init?(thinning rgb: [UInt8], size: PixelSize) {
        guard size.width > 0, size.height > 0, size.width <= 65_535, size.height <= 65_535,
            rgb.count >= size.pixelCount * 3
        else { return nil }
        let step = (max(size.width, size.height) + Self.longestEdge - 1) / Self.longestEdge
        let thin = PixelSize(width: (size.width + step - 1) / step, height: (size.height + step - 1) / step)
        var samples: [UInt8] = []
        samples.reserveCapacity(thin.pixelCount * 3)
        for y in stride(from: 0, to: size.height, by: step) {
            for x in stride(from: 0, to: size.width, by: step) {
                let at = (y * size.width + x) * 3
                samples += rgb[at..<(at + 3)]
            }
        }
        self.init(size: thin, samples: samples)
    }
}
