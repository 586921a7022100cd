import CLibRaw
public import PictureFormat
internal import Pixels

/// The camera's own rendering, as it lies in the RAW: not turned upright.
public struct EmbeddedPreview: Sendable {
    public enum Format: Hashable, Sendable {
        case jpeg
        /// Three bytes a pixel, rows without gaps.
        case rgb8
    }

    public let format: Format
    public let bytes: [UInt8]
    /// As the RAW states it; a JPEG's own header is the authority.
    public let size: PixelSize
}

extension Frame {
    consuming func preview(limits: DecodeLimits) -> EmbeddedPreview? {
        guard let found = raw.thumbnail(), let start = found.bytes else { return nil }
        let count = Int(found.byteCount)
        let size = PixelSize(width: Int(found.width), height: Int(found.height))
        guard count > 0, count <= limits.fileBytes else { return nil }
        let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
        switch found.format {
        case 1 where bytes.starts(with: [0xff, 0xd8]): return EmbeddedPreview(format: .jpeg, bytes: bytes, size: size)
        case 2 where size.width > 0 && size.height > 0 && count >= size.pixelCount * 3:
            return EmbeddedPreview(format: .rgb8, bytes: Array(bytes.prefix(size.pixelCount * 3)), size: size)
        default: return nil
        }
    }
}
