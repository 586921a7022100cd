public import PictureFormat

/// The camera's own rendering, as stored in the RAW and not rotated.
public struct EmbeddedPreview: Sendable {
    /// Format of the bytes.
    public enum Format: Hashable, Sendable {
        /// A complete JPEG.
        case jpeg
        /// Three bytes per pixel, rows without gaps.
        case rgb8
    }

    /// Format of the bytes.
    public let format: Format
    /// The picture.
    public let bytes: [UInt8]
    /// Size according to the RAW. For a JPEG its own header takes precedence.
    public let size: PixelSize
}

/// The embedded pictures of a RAW that are quick to read.
public struct SmallPreviews: Sendable {
    /// Best for comparison first: the smallest that is large enough, then larger ones, then smaller ones.
    public let candidates: [EmbeddedPreview]
    /// Whether another JPEG has a damaged header.
    public let hasDamaged: Bool
}
