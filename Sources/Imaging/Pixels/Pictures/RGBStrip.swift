public import PictureFormat

/// Some rows of an upright display-encoded R′G′B′ picture with 16 bits per channel, in borrowed memory, for photos that
/// will be edited further.
///
/// Strips have as many rows as 8-bit ones (``PictureStrip/rows``). The owner of the memory decides how long the pointer
/// is valid; for `StripSink.write`, during the call.
///
/// `@unchecked Sendable`: the strips of a picture share no samples, and each is used by one thread at a time while the
/// owner of the memory waits.
@safe public struct RGBStrip: @unchecked Sendable {
    /// The strip's number, counted from the top of the picture.
    public let index: Int
    /// Size of the whole picture, in pixels.
    public let picture: PixelSize
    /// Red, green and blue of each pixel, 0…65,535.
    public let samples: UnsafeMutablePointer<UInt16>
    /// Distance of rows in samples, at least three for each pixel of a row.
    public let strideSamples: Int
    /// Rows of the strip.
    public let height: Int

    /// Creates a strip from its properties.
    public init(index: Int, of picture: PixelSize, samples: UnsafeMutablePointer<UInt16>, strideSamples: Int) {
        precondition((0..<PictureStrip.count(picture)).contains(index), "the picture has the strip")
        self.index = index
        self.picture = picture
        unsafe self.samples = unsafe samples
        self.strideSamples = strideSamples
        height = min(PictureStrip.rows, picture.height - index * PictureStrip.rows)
    }
}
