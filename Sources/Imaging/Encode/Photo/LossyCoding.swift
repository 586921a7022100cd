public import PictureFormat

/// AVIF or JPEG XL settings.
public struct LossyCoding: Hashable, Sendable {
    /// 1…100.
    public var quality: Int
    /// Colour space of the samples.
    public var colourSpace: ColourSpace

    /// Creates settings from their properties.
    public init(quality: Int, colourSpace: ColourSpace) {
        self.quality = quality
        self.colourSpace = colourSpace
    }

    /// - Throws: `qualityOutOfRange`.
    func check() throws(EncodeError) {
        guard (1...100).contains(quality) else { throw .qualityOutOfRange(quality) }
    }
}
