import Compression
import Metadata
import PNG
import PictureFormat
import Pixels

/// Filtering and framing of a 16-bit photo's strips.
protocol StripCoding: Sendable {
    var isCompressed: Bool { get }
    func rowBytes(width: Int) -> Int
    /// Bytes before and after a strip's data.
    var frameBytes: (before: Int, after: Int) { get }

    /// The start of the file, with its metadata.
    func head(_ metadata: EmbeddedMetadata) throws(EncodeError) -> [UInt8]
    /// Bytes between the head and the first strip.
    var start: [UInt8] { get }
    /// Bytes after the last strip.
    ///
    /// - Parameter adler32: of all filtered rows.
    func end(adler32: UInt32) -> [UInt8]

    /// Converts a strip to the file's byte order, and filters it if that saves space.
    ///
    /// - Parameters:
    ///   - strip: its samples may be changed.
    ///   - bytes: the result, `rowBytes` per row.
    func filter(_ strip: RGBStrip, into bytes: UnsafeMutableRawBufferPointer)

    /// Writes the bytes before and after a strip's data.
    ///
    /// - Parameter piece: the data, surrounded by room for `frameBytes`.
    func frame(_ piece: UnsafeMutableRawBufferPointer)
}

/// TIFF: uncompressed little-endian samples. Compression would save an eighth of a 16-bit photo, take as long as
/// developing it, and exclude some readers ("TIFF and PNG" among the decisions).
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

/// PNG: each strip is an `IDAT` chunk; together they are one zlib stream of big-endian samples. Each byte is predicted
/// by the mean of its left and upper neighbours (filter 3). The first row of a strip uses only the left neighbour
/// (filter 1), because the strip above may not exist yet.
struct PNGStripCoding: StripCoding {
    let isCompressed = true
    /// zlib's header: deflate, 32 KiB window, fastest level.
    let start = PNGChunk.encoded("IDAT", [0x78, 0x01])

    func head(_ metadata: EmbeddedMetadata) throws(EncodeError) -> [UInt8] {
        try PNGChunks.head(exif: metadata.exif, xmp: metadata.xmp, profile: metadata.profile)
    }

    /// An empty last block, zlib's checksum, and the end chunk.
    func end(adler32: UInt32) -> [UInt8] {
        PNGChunk.encoded("IDAT", [3, 0] + PNGChunk.bytes(adler32)) + PNGChunk.encoded("IEND", [])
    }

    /// Length and type before the data, checksum after it.
    let frameBytes = (before: 8, after: 4)

    func rowBytes(width: Int) -> Int { 1 + 6 * width }

    func filter(_ strip: RGBStrip, into bytes: UnsafeMutableRawBufferPointer) {
        let count = 6 * strip.picture.width
        guard var to = unsafe bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        for y in 0..<strip.height {
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
