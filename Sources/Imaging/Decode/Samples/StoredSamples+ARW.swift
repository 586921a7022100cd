import DecodeKernels
import TIFF
import PictureFormat

extension StoredSamples {
    /// Sony's compressed ARW, one byte per sample. Nil for sizes that no camera has, which LibRaw decodes. LibRaw's
    /// `curve` has twice the resolution of the stored values.
    init?(arw directory: TIFFDirectory, size: PixelSize, visible: PixelRect, curve: [UInt16], fileByteCount: Int) {
        guard directory.isLittleEndian, let bytes = directory.chunks?.first, directory.chunks?.count == 1,
            size.width % 32 == 0,
            bytes.count == size.width * size.height,
            // LibRaw reads only the visible rows.
            visible.y == 0, visible.size.height == size.height, curve.count >= 4096
        else { return nil }
        self.init(
            .sonyBlocks(curve: (0..<2048).map { curve[2 * $0] }), rowByteCount: size.width, at: bytes.lowerBound,
            size: size, fileByteCount: fileByteCount)
    }
}
