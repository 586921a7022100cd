public import Pixels

/// A photo's file format and its settings.
public enum PhotoCoding: Hashable, Sendable {
    case jpeg(JPEGCoding)
    /// 16 bits per channel, uncompressed.
    case tiff
    /// 16 bits per channel, losslessly compressed.
    case png
    case avif(LossyCoding)
    case jxl(LossyCoding)

    /// Bit depth of the strips that the photo is made from.
    public var depth: PictureDepth {
        switch self {
        case .jpeg: .eight
        case .tiff, .png, .avif, .jxl: .sixteen
        }
    }

    /// Whether the file can hold a `PhotoSupplement`.
    public var takesSupplement: Bool { depth == .eight }

    /// Peak memory for encoding, in bytes per pixel, including the samples; nil for formats encoded strip by strip.
    public var bytesPerPixel: Int? {
        switch self {
        case .jpeg, .tiff, .png: nil
        case .avif: AVIFPhoto.bytesPerPixel
        case .jxl: JXLPhoto.bytesPerPixel
        }
    }
}
