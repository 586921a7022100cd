public import PictureFormat

/// An upright 8-bit Y′CbCr picture (ITU-R BT.601 full range, as JFIF wants), ready for the encoder.
public struct OutputImage: ~Copyable, Sendable {
    /// Y′, one sample a pixel.
    public let luma: Plane<UInt8>
    /// Blue-difference chroma.
    public let cb: Plane<UInt8>
    /// Red-difference chroma.
    public let cr: Plane<UInt8>
    /// How the chroma planes relate to the luma plane.
    public let subsampling: ChromaSubsampling
    /// The RGB space that the Y′CbCr values encode.
    public let colourSpace: ColourSpace

    /// The samples may be written later.
    ///
    /// - Parameters:
    ///   - luma: of the picture's size.
    ///   - cb: `ceil(size / 2)` for `.quarter`, the size of `luma` for `.none`.
    ///   - cr: as `cb`.
    ///   - subsampling: decides the chroma planes' size.
    ///   - colourSpace: the RGB space that the values encode.
    public init(
        luma: consuming Plane<UInt8>, cb: consuming Plane<UInt8>, cr: consuming Plane<UInt8>,
        subsampling: ChromaSubsampling, colourSpace: ColourSpace
    ) {
        let divisor = subsampling == .quarter ? 2 : 1
        let chroma = PixelSize(
            width: (luma.width + divisor - 1) / divisor, height: (luma.height + divisor - 1) / divisor)
        precondition(cb.size == chroma && cr.size == chroma, "chroma planes do not fit the luma plane")
        self.luma = luma
        self.cb = cb
        self.cr = cr
        self.subsampling = subsampling
        self.colourSpace = colourSpace
    }

    /// Width and height in pixels.
    public var size: PixelSize { luma.size }
}
