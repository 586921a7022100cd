import DecodeKernels
import TIFF
import PictureFormat

extension StoredSamples {
    /// Sony's compressed ARW, a byte a sample. Nil for what is left to LibRaw: sizes that no camera has.
    ///
    /// - Parameters:
    ///   - directory: that of the samples.
    ///   - curve: what LibRaw looks stored values up in, twice as fine as they are.
    init?(arw directory: TIFFDirectory, size: PixelSize, visible: PixelRect, curve: [UInt16], fileByteCount: Int) {
        guard directory.isLittleEndian, let bytes = directory.chunks?.first, directory.chunks?.count == 1,
            size.width % 32 == 0,
            bytes.count == size.width * size.height,
            // LibRaw reads no more rows than the picture has.
            visible.y == 0, visible.size.height == size.height, curve.count >= 4096
        else { return nil }
        self.init(
            .sonyBlocks(curve: (0..<2048).map { curve[2 * $0] }), rowByteCount: size.width, at: bytes.lowerBound,
            size: size, fileByteCount: fileByteCount)
    }
}
