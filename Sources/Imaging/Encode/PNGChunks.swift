import Metadata
import PictureFormat

/// The chunks of a PNG photo (W3C, "Portable Network Graphics (PNG) Specification", third edition; XMP part 3, 1.1.5).
enum PNGChunks {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// All before the pixels: R′G′B′ of 16 bits, and everything the photo says of itself.
    ///
    /// - Parameters:
    ///   - exif: of the photo; its size is the file's.
    ///   - xmp: the packet.
    ///   - profile: the ICC profile.
    static func head(
        exif: RenditionExif, xmp: [UInt8], profile: [UInt8]
    ) throws(EncodeError) -> [UInt8] {
        // 16 bits, truecolour, deflate, the five filters, not interlaced.
        let header = bytes(UInt32(clamping: exif.width)) + bytes(UInt32(clamping: exif.height)) + [16, 2, 0, 0, 0]
        // A name that readers may show, and the one method of compression.
        let icc = Array("ICC Profile".utf8) + [0, 0] + (try Deflater.zlib(profile))
        // Neither compressed nor of any language.
        let text = Array("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0] + xmp
        return signature + chunk("IHDR", header) + chunk("iCCP", icc) + chunk("eXIf", exif.pngBlock())
            + chunk("iTXt", text)
    }

    /// A chunk of its type and data.
    static func chunk(_ type: StaticString, _ data: [UInt8]) -> [UInt8] {
        let typed = type.withUTF8Buffer { Array($0) } + data
        let checksum = typed.withUnsafeBytes { Checksum.crc32($0) }
        return bytes(UInt32(clamping: data.count)) + typed + bytes(checksum)
    }

    /// The highest byte first.
    static func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}
