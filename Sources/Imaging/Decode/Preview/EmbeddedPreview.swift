public import PictureFormat

/// The camera's own rendering as it is in the RAW, not turned upright.
public struct EmbeddedPreview: Sendable {
    /// How the bytes are to be read.
    public enum Format: Hashable, Sendable {
        /// A whole JPEG.
        case jpeg
        /// Three bytes a pixel, rows without gaps.
        case rgb8
    }

    /// How the bytes are to be read.
    public let format: Format
    /// The picture.
    public let bytes: [UInt8]
    /// As the RAW states it. For a JPEG its own header is what counts.
    public let size: PixelSize
}

/// The embedded pictures of a RAW that can be read in passing.
public struct SmallPreviews: Sendable {
    /// The best to compare with first: the smallest that is large enough, then larger ones, then smaller ones.
    public let candidates: [EmbeddedPreview]
    /// Whether there is a further JPEG whose header is damaged.
    public let hasDamaged: Bool
}
