/// How many bits the samples of a picture have, and with that their form.
public enum PictureDepth: Hashable, Sendable {
    /// Y′CbCr with 8 bits a sample (``YCbCrStrip``).
    case eight
    /// R′G′B′ with 16 bits a channel (``RGBStrip``). From the scene's light on nothing has fewer bits, and nothing is dithered.
    case sixteen
}
