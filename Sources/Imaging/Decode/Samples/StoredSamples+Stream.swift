import DecodeKernels
import PictureFormat

extension StoredSamples {
    /// Samples in one stream that starts at a file offset. Nil if LibRaw has to decode it.
    init?(stream coding: Coding, at start: Int, size: PixelSize, fileByteCount: Int) {
        guard (0..<fileByteCount).contains(start), (2...1 << 16).contains(size.width), size.width % 2 == 0,
            (1...1 << 16).contains(size.height)
        else { return nil }
        width = size.width
        height = size.height
        self.coding = coding
        // Like LibRaw, reads beyond the stated length.
        chunks = [
            Chunk(
                bytes: start..<fileByteCount,
                slices: [PlaneSlice(x: 0, y: 0, width: size.width, height: size.height)])
        ]
        isReadByLibRaw = true
    }
}
