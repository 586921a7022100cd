public import PictureFormat

/// A small finished picture in 8-bit sRGB, for comparisons: the camera's own rendering, scaled down.
public struct SmallPicture: Hashable, Sendable {
    /// Maximum side, in pixels.
    public static let maxEdge = 1024

    /// Width and height in pixels.
    public let size: PixelSize
    /// Red, green, blue of each pixel, row after row.
    public let samples: [UInt8]

    /// Creates a picture; nil unless the samples fit the size and each side is 1 to `maxEdge`.
    public init?(size: PixelSize, samples: [UInt8]) {
        let sides = 1...Self.maxEdge
        guard sides.contains(size.width), sides.contains(size.height), samples.count == size.pixelCount * 3 else {
            return nil
        }
        self.size = size
        self.samples = samples
    }

    /// Subsamples a larger picture by whole steps until no side exceeds `maxEdge`. Nil unless `rgb` holds the picture
    /// and its sides are 1 to 65,535.
    ///
    /// - Parameters:
    ///   - rgb: red, green, blue of each pixel, row after row.
    ///   - size: width and height of that picture, in pixels.
    public init?(subsampling rgb: [UInt8], size: PixelSize) {
        guard size.width > 0, size.height > 0, size.width <= 65_535, size.height <= 65_535,
            rgb.count >= size.pixelCount * 3
        else { return nil }
        let step = (max(size.width, size.height) + Self.maxEdge - 1) / Self.maxEdge
        let small = PixelSize(width: (size.width + step - 1) / step, height: (size.height + step - 1) / step)
        var samples: [UInt8] = []
        samples.reserveCapacity(small.pixelCount * 3)
        for y in stride(from: 0, to: size.height, by: step) {
            for x in stride(from: 0, to: size.width, by: step) {
                let offset = (y * size.width + x) * 3
                samples += rgb[offset..<(offset + 3)]
            }
        }
        self.init(size: small, samples: samples)
    }
}
