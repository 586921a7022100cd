internal import Compression
internal import PictureFormat

extension PNGPicture {
    /// Encodes the picture as truecolour, each row filtered by its left neighbour.
    ///
    /// - Throws: `PNGError` if memory runs out.
    public func encoded() throws(PNGError) -> [UInt8] {
        let (width, bytes) = (size.width, bits / 8)
        let pixel = 3 * bytes
        var rows: [UInt8] = []
        rows.reserveCapacity((1 + pixel * width) * size.height)
        for y in 0..<size.height {
            rows.append(1)
            let start = rows.count
            for sample in samples[3 * width * y..<3 * width * (y + 1)] {
                if bytes == 2 { rows.append(UInt8(truncatingIfNeeded: sample >> 8)) }
                rows.append(UInt8(truncatingIfNeeded: sample))
            }
            for x in stride(from: rows.count - 1, through: start + pixel, by: -1) {
                rows[x] = rows[x] &- rows[x - pixel]
            }
        }
        let compressed: [UInt8]
        do throws(CompressionError) { compressed = try Deflater.zlib(rows) } catch {
            throw PNGError("the PNG file cannot be made", "\(error)")
        }
        let header =
            PNGChunk.bytes(UInt32(clamping: width)) + PNGChunk.bytes(UInt32(clamping: size.height))
            + [UInt8(clamping: bits), 2, 0, 0, 0]
        return PNGChunk.signature + PNGChunk.encoded("IHDR", header) + PNGChunk.encoded("IDAT", compressed)
            + PNGChunk.encoded("IEND", [])
    }
}
