public import PictureFormat

/// The camera's rendering as stored in the RAW, not rotated.
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
    /// A JPEG, or pixels.
    public let bytes: [UInt8]
    /// Size according to the RAW; a JPEG's own header takes precedence.
    public let size: PixelSize
}

/// Embedded pictures that are quick to read.
public struct SmallPreviews: Sendable {
    /// Best for comparison first: the smallest sufficient one, then larger ones, then smaller ones.
    public let candidates: [EmbeddedPreview]
    /// Whether another JPEG has a damaged header.
    public let hasDamaged: Bool
}
