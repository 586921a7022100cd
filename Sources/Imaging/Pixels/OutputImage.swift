public import PictureFormat

/// An upright 8-bit Y′CbCr picture (ITU-R BT.601 full range, as JFIF wants), ready for the encoder.
public struct OutputImage: ~Copyable, Sendable {
    public let luma: Plane<UInt8>
    public let cb: Plane<UInt8>
    public let cr: Plane<UInt8>
    public let subsampling: ChromaSubsampling
    public let colourSpace: ColourSpace

    /// The chroma planes are `ceil(size / 2)` for `.quarter`, the size of `luma` for `.none`. The samples may
    /// be written later.
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

    public var size: PixelSize { luma.size }
}
