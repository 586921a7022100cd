public import Pixels

/// How a photo is coded in its file.
public enum PhotoCoding: Hashable, Sendable {
    case jpeg(JPEGCoding)
    /// 16 bits per channel, not compressed.
    case tiff
    /// 16 bits per channel, compressed without loss.
    case png
    case avif(LossyCoding)
    case jxl(LossyCoding)

    /// Of the strips that the photo is made from.
    public var depth: PictureDepth {
        switch self {
        case .jpeg: .eight
        case .tiff, .png, .avif, .jxl: .sixteen
        }
    }

    /// Whether the file has room for a `PhotoSupplement`.
    public var takesSupplement: Bool { depth == .eight }

    /// Memory that is in use at once to encode, for each pixel, our own samples included; nil if strips are encoded
    /// one by one.
    public var bytesPerPixel: Int? {
        switch self {
        case .jpeg, .tiff, .png: nil
        case .avif: AVIFPhoto.bytesPerPixel
        case .jxl: JXLPhoto.bytesPerPixel
        }
    }
}
