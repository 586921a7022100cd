public import PictureFormat

/// An upright 8-bit Y′CbCr picture (ITU-R BT.601 full range, as JFIF requires), ready for the encoder.
public struct OutputImage: ~Copyable, Sendable {
    /// Y′, one sample per pixel.
    public let luma: Plane<UInt8>
    /// Blue-difference chroma.
    public let cb: Plane<UInt8>
    /// Red-difference chroma.
    public let cr: Plane<UInt8>
    /// Size of the chroma planes relative to the luma plane.
    public let subsampling: ChromaSubsampling
    /// The RGB space that the Y′CbCr values encode.
    public let colourSpace: ColourSpace

    /// Creates a picture, whose samples may be written later.
    ///
    /// - Parameters:
    ///   - luma: of the picture's size.
    ///   - cb: `ceil(size / 2)` for `.quarter`, the size of `luma` for `.none`.
    ///   - cr: like `cb`.
    ///   - subsampling: size of the chroma planes.
    ///   - colourSpace: RGB space of the values.
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
