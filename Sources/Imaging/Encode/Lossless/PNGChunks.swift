import Compression
import Metadata
import PNG
import PictureFormat

/// The chunks of a PNG photo (W3C, "Portable Network Graphics (PNG) Specification", third edition; XMP part 3, 1.1.5).
enum PNGChunks {
    /// All chunks before the pixels: 16-bit R′G′B′ and the photo's metadata.
    ///
    /// - Parameters:
    ///   - exif: its size is the file's.
    ///   - xmp: the packet.
    ///   - profile: the ICC profile.
    static func head(
        exif: RenditionExif, xmp: [UInt8], profile: [UInt8]
    ) throws(EncodeError) -> [UInt8] {
        // 16 bits, truecolour, deflate, filter method 0 (five filters), not interlaced.
        let header =
            PNGChunk.bytes(UInt32(clamping: exif.width)) + PNGChunk.bytes(UInt32(clamping: exif.height))
            + [16, 2, 0, 0, 0]
        // A profile name, and compression method 0.
        let compressed: [UInt8]
        do throws(CompressionError) { compressed = try Deflater.zlib(profile) } catch { throw EncodeError(error) }
        let icc = Array("ICC Profile".utf8) + [0, 0] + compressed
        // Uncompressed, and without a language.
        let text = Array("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0] + xmp
        return PNGChunk.signature + PNGChunk.encoded("IHDR", header) + PNGChunk.encoded("iCCP", icc)
            + PNGChunk.encoded("eXIf", exif.pngBlock()) + PNGChunk.encoded("iTXt", text)
    }
}
