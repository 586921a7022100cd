/// Bits per sample of a picture, which decide its form.
public enum PictureDepth: Hashable, Sendable {
    /// Y′CbCr with 8 bits per sample (``YCbCrStrip``).
    case eight
    /// R′G′B′ with 16 bits per channel (``RGBStrip``). All stages from scene light on keep this depth, without
    /// dithering.
    case sixteen
}
