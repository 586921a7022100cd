import DecodeKernels
import PictureFormat

extension StoredSamples {
    /// Rows that a thread unpacks at once.
    private static let bandRows = 64

    /// Rows of equal byte counts, without gaps. Nil for truncated files. `blockBytes` is the size of the blocks that
    /// contain the bytes; 1 if rows are independent.
    init?(
        _ coding: Coding, rowByteCount: Int, at start: Int, size: PixelSize, fileByteCount: Int, blockBytes: Int = 1
    ) {
        guard (1...1 << 16).contains(size.width), (1...1 << 16).contains(size.height),
            (0...fileByteCount).contains(start)
        else { return nil }
        let blockCount = (rowByteCount * size.height + blockBytes - 1) / blockBytes
        guard blockCount * blockBytes <= fileByteCount - start else { return nil }
        width = size.width
        height = size.height
        self.coding = coding
        chunks = stride(from: 0, to: size.height, by: Self.bandRows).map { y in
            let rows = min(Self.bandRows, size.height - y)
            let firstBlock = y * rowByteCount / blockBytes
            let endBlock = ((y + rows) * rowByteCount + blockBytes - 1) / blockBytes
            return Chunk(
                bytes: start + firstBlock * blockBytes..<start + endBlock * blockBytes,
                slices: [PlaneSlice(x: 0, y: y, width: size.width, height: rows)])
        }
        isReadByLibRaw = true
    }
}
