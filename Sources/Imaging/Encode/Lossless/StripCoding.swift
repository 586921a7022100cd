import Compression
import Metadata
import PNG
import PictureFormat
import Pixels

/// How the strips of a photo with 16 bits per channel are filtered and framed in its file.
protocol StripCoding: Sendable {
    /// Whether strips are compressed.
    var isCompressed: Bool { get }
    /// Bytes of a row after it was filtered.
    func rowBytes(width: Int) -> Int
    /// Bytes before and after a strip's data.
    var frameBytes: (before: Int, after: Int) { get }

    /// What a photo says of itself, as its file begins with it.
    func head(_ metadata: EmbeddedMetadata) throws(EncodeError) -> [UInt8]
    /// Bytes after it and before the first strip.
    var start: [UInt8] { get }
    /// Bytes after the last one.
    ///
    /// - Parameter adler32: of all rows after they were filtered.
    func end(adler32: UInt32) -> [UInt8]

    /// Brings a strip's samples into the file's order, and filters them where that saves space.
    ///
    /// - Parameters:
    ///   - strip: whose samples may be changed.
    ///   - bytes: the result, `rowBytes` for each row.
    func filter(_ strip: RGBStrip, into bytes: UnsafeMutableRawBufferPointer)

    /// Writes what is before and after a strip's data.
    ///
    /// - Parameter piece: the data with room for `frameBytes`.
    func frame(_ piece: UnsafeMutableRawBufferPointer)
}

/// TIFF: samples as they are, the lower byte first. Compression saves an eighth of a photo of 16 bits, takes as long as
/// developing it, and not every reader knows it ("TIFF and PNG" among the decisions).
struct TIFFStripCoding: StripCoding {
    let isCompressed = false
    let start: [UInt8] = []

    func head(_ metadata: EmbeddedMetadata) -> [UInt8] {
        TIFFPhotoHead(
            exif: metadata.exif, xmp: metadata.xmp, profile: metadata.profile, rowsPerStrip: PictureStrip.rows
        ).bytes()
    }

    func end(adler32: UInt32) -> [UInt8] { [] }

    let frameBytes = (before: 0, after: 0)

    func rowBytes(width: Int) -> Int { 6 * width }

    func filter(_ strip: RGBStrip, into bytes: UnsafeMutableRawBufferPointer) {
        let width = strip.picture.width
        guard var to = unsafe bytes.bindMemory(to: UInt16.self).baseAddress else { return }
        for y in 0..<strip.height {
            let row = unsafe strip.samples + y * strip.strideSamples
            for x in 0..<3 * width { unsafe to[x] = row[x].littleEndian }
            unsafe to += 3 * width
        }
    }

    func frame(_ piece: UnsafeMutableRawBufferPointer) {}
}

/// PNG: each strip is an `IDAT` chunk, and together they are one zlib stream. The higher byte comes first, and each
/// byte is the difference from the mean of those to its left and above it (filter 3). A strip's first row only looks to
/// its left (filter 1): the row above it may not be made yet.
struct PNGStripCoding: StripCoding {
    let isCompressed = true
    /// zlib's header: deflate with a window of 32 KiB, the fastest level.
    let start = PNGChunk.encoded("IDAT", [0x78, 0x01])

    func head(_ metadata: EmbeddedMetadata) throws(EncodeError) -> [UInt8] {
        try PNGChunks.head(exif: metadata.exif, xmp: metadata.xmp, profile: metadata.profile)
    }

    /// An empty last block, zlib's checksum, and the last chunk.
    func end(adler32: UInt32) -> [UInt8] {
        PNGChunk.encoded("IDAT", [3, 0] + PNGChunk.bytes(adler32)) + PNGChunk.encoded("IEND", [])
    }

    /// Length and type; checksum.
    let frameBytes = (before: 8, after: 4)

    func rowBytes(width: Int) -> Int { 1 + 6 * width }

    func filter(_ strip: RGBStrip, into bytes: UnsafeMutableRawBufferPointer) {
        let count = 6 * strip.picture.width
        guard var to = unsafe bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        for y in 0..<strip.height {
            // Samples become bytes in their order.
            let row = unsafe strip.samples + y * strip.strideSamples
            for x in 0..<count / 2 { unsafe row[x] = row[x].bigEndian }
            let own = unsafe UnsafePointer<UInt8>(OpaquePointer(row))
            unsafe to[0] = y == 0 ? 1 : 3
            unsafe to += 1
            if y == 0 {
                for x in 0..<6 { unsafe to[x] = own[x] }
                for x in 6..<count { unsafe to[x] = own[x] &- own[x - 6] }
            } else {
                let above = unsafe own - 2 * strip.strideSamples
                for x in 0..<6 { unsafe to[x] = own[x] &- above[x] / 2 }
                for x in 6..<count {
                    unsafe to[x] = own[x] &- UInt8(truncatingIfNeeded: (UInt16(own[x - 6]) &+ UInt16(above[x])) / 2)
                }
            }
            unsafe to += count
        }
    }

    func frame(_ piece: UnsafeMutableRawBufferPointer) {
        unsafe piece.copyBytes(from: PNGChunk.bytes(UInt32(clamping: piece.count - 12)) + Array("IDAT".utf8))
        let checksum = unsafe Checksum.crc32(UnsafeRawBufferPointer(rebasing: piece[4..<piece.count - 4]))
        unsafe piece[(piece.count - 4)...].copyBytes(from: PNGChunk.bytes(checksum))
    }
}
