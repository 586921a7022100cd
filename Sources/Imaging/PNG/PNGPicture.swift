public import PictureFormat

/// An RGB picture as a PNG stores it: code values without a colour space.
public struct PNGPicture: Hashable, Sendable {
    /// Width and height.
    public let size: PixelSize
    /// Bits per channel: 8 or 16.
    public let bits: Int
    /// Red, green and blue of each pixel, row by row from the top, 0…255 or 0…65,535.
    public let samples: [UInt16]
    /// Whether the file has an ICC profile.
    public let hasProfile: Bool
    /// Colours of the file's palette; 0 without a palette.
    public let paletteColours: Int

    /// Creates a picture from its properties.
    public init(size: PixelSize, bits: Int, samples: [UInt16], hasProfile: Bool = false, paletteColours: Int = 0) {
        self.size = size
        self.bits = bits
        self.samples = samples
        self.hasProfile = hasProfile
        self.paletteColours = paletteColours
    }
}
