import DecodeKernels
import TIFF
import PictureFormat
import Pixels

extension StoredSamples {
    /// LibRaw has read the header.
    private static let rafHeaderBytes = 16
    private static let rafLossless: UInt8 = 1
    private static let rafXTrans: UInt8 = 16
    private static let rafLengthBytes = 4

    /// Rounds up to 16 bytes: lengths and tolerances are aligned relative to the first length.
    private static func padded(_ byteCount: Int) -> Int { (byteCount + 15) / 16 * 16 }

    /// Fujifilm's compressed RAF; `place` is the position of the strips' lengths, after the header, and the reader is
    /// big-endian. Nil if LibRaw has to decode it: headers that do not match the picture. `isReadByLibRaw` is false if
    /// the file was presented to LibRaw as lossless.
    init?(
        raf reader: ByteReader, at place: Int, size: PixelSize, _ layout: SensorLayout, visible: PixelRect,
        isReadByLibRaw: Bool
    ) throws(DecodeError) {
        let header = place - Self.rafHeaderBytes
        guard header >= 0, let lossless = reader.uint8(header + 2), let sensor = reader.uint8(header + 3),
            let bits = reader.uint8(header + 4), var coding = FujifilmCoding(bits: Int(bits), layout: layout),
            // LibRaw counts the colours of a Bayer filter from the picture's corner.
            coding.isXTrans || visible.x % 2 == 0 && visible.y % 2 == 0,
            size.width % 6 == 0, size.height % FujifilmCoding.rowsTogether == 0
        else { return nil }
        // LibRaw 0.20 crashes if the strips are too short for the form it assumes.
        guard sensor == (coding.isXTrans ? Self.rafXTrans : 0) else { throw .contradiction }
        let stripCount = (size.width + FujifilmCoding.stripWidth - 1) / FujifilmCoding.stripWidth
        let lengthBytes = Self.rafLengthBytes * stripCount
        guard reader.contains(offset: place, length: lengthBytes) else { throw .cut }
        var chunks: [Chunk] = []
        var start = place + Self.padded(lengthBytes)
        if lossless != Self.rafLossless {
            let count = size.height / FujifilmCoding.rowsTogether
            coding.tolerances = try (0..<stripCount).map { strip throws(DecodeError) in
                let first = start + strip * Self.padded(count)
                guard let bytes = reader.array(offset: first, length: count) else { throw .cut }
                return bytes
            }
            start += stripCount * Self.padded(count)
        }
        for strip in 0..<stripCount {
            guard let length = reader.offset32(place + Self.rafLengthBytes * strip) else { throw .cut }
            let x = strip * FujifilmCoding.stripWidth
            let slice = PlaneSlice(
                x: x, y: 0, width: min(FujifilmCoding.stripWidth, size.width - x), height: size.height)
            // Like LibRaw, accepts truncated strips; decoding fails if bytes are missing.
            chunks.append(
                Chunk(bytes: min(start, reader.count)..<min(start + length, reader.count), slices: [slice]))
            start += length
        }
        width = size.width
        height = size.height
        self.coding = .fujifilm(coding)
        self.chunks = chunks
        self.isReadByLibRaw = isReadByLibRaw
    }
}
