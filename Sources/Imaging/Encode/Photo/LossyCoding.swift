public import PictureFormat

/// How an AVIF or a JPEG XL is coded.
public struct LossyCoding: Hashable, Sendable {
    /// 1…100.
    public var quality: Int
    /// Of the samples.
    public var colourSpace: ColourSpace

    /// - Parameters:
    ///   - quality: 1…100.
    ///   - colourSpace: of the samples.
    public init(quality: Int, colourSpace: ColourSpace) {
        self.quality = quality
        self.colourSpace = colourSpace
    }

    /// - Throws: `qualityOutOfRange`.
    func check() throws(EncodeError) {
        guard (1...100).contains(quality) else { throw .qualityOutOfRange(quality) }
    }
}
