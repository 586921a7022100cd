import DecodeKernels
import Metadata
import PictureFormat

extension StoredSamples {
    /// Rows that one thread unpacks at once.
    private static let bandRows = 64

    /// Sony's compressed ARW, a byte a sample. Nil for what is left to LibRaw: sizes that no camera has.
    ///
    /// - Parameters:
    ///   - directory: that of the samples.
    ///   - curve: what LibRaw looks stored values up in, twice as fine as they are.
    init?(arw directory: TIFFDirectory, size: PixelSize, visible: PixelRect, curve: [UInt16]) {
        guard directory.isLittleEndian, let bytes = directory.chunks?.first, directory.chunks?.count == 1,
            (32...1 << 16).contains(size.width), size.width % 32 == 0, (1...1 << 16).contains(size.height),
            bytes.count == size.width * size.height,
            // LibRaw reads no more rows than the picture has.
            visible.y == 0, visible.size.height == size.height, curve.count >= 4096
        else { return nil }
        width = size.width
        height = size.height
        coding = .sonyBlocks(curve: (0..<2048).map { curve[2 * $0] })
        chunks = stride(from: 0, to: size.height, by: Self.bandRows).map { y in
            let rows = min(Self.bandRows, size.height - y)
            let start = bytes.lowerBound + y * size.width
            return Chunk(
                bytes: start..<start + rows * size.width,
                slices: [PlaneSlice(x: 0, y: y, width: size.width, height: rows)])
        }
        isReadByLibRaw = true
    }
}
