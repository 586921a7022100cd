public import PictureFormat

/// A picture of red, green and blue as a PNG file stores it: code values, without a colour space.
public struct PNGPicture: Hashable, Sendable {
    /// Width and height.
    public let size: PixelSize
    /// 8 or 16.
    public let bits: Int
    /// Red, green and blue of each pixel, row by row from the top, 0…255 or 0…65,535.
    public let samples: [UInt16]
    /// Whether the file says with an ICC profile which colours it means.
    public let hasProfile: Bool
    /// How many colours the file's palette has; 0 for a file without one.
    public let paletteColours: Int

    /// - Parameters:
    ///   - size: width and height.
    ///   - bits: 8 or 16.
    ///   - samples: three for each pixel, row by row.
    ///   - hasProfile: whether the file has an ICC profile.
    ///   - paletteColours: 0 without a palette.
    public init(size: PixelSize, bits: Int, samples: [UInt16], hasProfile: Bool = false, paletteColours: Int = 0) {
        self.size = size
        self.bits = bits
        self.samples = samples
        self.hasProfile = hasProfile
        self.paletteColours = paletteColours
    }
}
