import DecodeKernels
import PictureFormat

extension StoredSamples {
    /// Rows that one thread unpacks at once.
    private static let bandRows = 64

    /// Samples of 10 to 14 bits without compression, packed from the left, as Nikon's NEF has those of 12. Nil for what is left to
    /// LibRaw: rows that end within a byte, and files that end before their samples do.
    ///
    /// - Parameters:
    ///   - bits: of a sample.
    ///   - start: where the samples begin in the file.
    init?(packedBits bits: Int, at start: Int, size: PixelSize, fileByteCount: Int) {
        guard (10...14).contains(bits), (1...1 << 16).contains(size.width), (1...1 << 16).contains(size.height),
            size.width * bits % 8 == 0, (0...fileByteCount).contains(start),
            size.width * bits / 8 * size.height <= fileByteCount - start
        else { return nil }
        let rowByteCount = size.width * bits / 8
        width = size.width
        height = size.height
        coding = .plain(bits: bits, isLittleEndian: false)
        chunks = stride(from: 0, to: size.height, by: Self.bandRows).map { y in
            let rows = min(Self.bandRows, size.height - y)
            let first = start + y * rowByteCount
            return Chunk(
                bytes: first..<first + rows * rowByteCount,
                slices: [PlaneSlice(x: 0, y: y, width: size.width, height: rows)])
        }
        isReadByLibRaw = true
    }
}
