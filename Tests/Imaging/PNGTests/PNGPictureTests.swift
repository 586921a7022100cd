import Compression
import PictureFormat
import Testing

@testable import PNG

struct PNGPictureTests {
    private static func picture(_ bits: Int, _ size: PixelSize = PixelSize(width: 7, height: 5)) -> PNGPicture {
        let count = 3 * size.width * size.height
        return PNGPicture(
            size: size, bits: bits,
            samples: (0..<count).map { UInt16(truncatingIfNeeded: $0 &* 40_503) >> (bits == 8 ? 8 : 0) })
    }

    @Test("A picture is read back as it was written", arguments: [8, 16])
    func roundTrip(bits: Int) throws {
        let picture = Self.picture(bits)
        #expect(try PNGPicture(picture.encoded()) == picture)
    }

    /// A file with header fields and filtered rows of one's own.
    static func file(
        _ size: PixelSize, bits: UInt8, colour: UInt8, interlace: UInt8 = 0, rows: [UInt8], extra: [UInt8] = []
    ) throws -> [UInt8] {
        let header =
            PNGChunk.bytes(UInt32(size.width)) + PNGChunk.bytes(UInt32(size.height)) + [bits, colour, 0, 0, interlace]
        return PNGChunk.signature + PNGChunk.encoded("IHDR", header) + extra
            + PNGChunk.encoded("IDAT", try Deflater.zlib(rows)) + PNGChunk.encoded("IEND", [])
    }

    @Test("Each of the five filters is undone")
    func filters() throws {
        let size = PixelSize(width: 4, height: 6)
        let plain = (0..<72).map { UInt8(truncatingIfNeeded: $0 &* 97 &+ $0 / 5) }
        var rows: [UInt8] = []
        for y in 0..<6 {
            let filter = UInt8(y % 5)
            rows.append(filter)
            for x in 0..<12 {
                func at(_ x: Int, _ y: Int) -> Int { x < 0 || y < 0 ? 0 : Int(plain[y * 12 + x]) }
                let (left, above, corner) = (at(x - 3, y), at(x, y - 1), at(x - 3, y - 1))
                let plane = left + above - corner
                let paeth = [left, above, corner].min { abs(plane - $0) < abs(plane - $1) } ?? 0
                let predicted = [0, left, above, (left + above) / 2, paeth][Int(filter)]
                rows.append(UInt8(truncatingIfNeeded: at(x, y) - predicted))
            }
        }
        let read = try PNGPicture(Self.file(size, bits: 8, colour: 2, rows: rows))
        #expect(read.samples == plain.map(UInt16.init))
    }

    @Test("Grey counts for all three channels, and alpha where it hides nothing")
    func greyAndAlpha() throws {
        let size = PixelSize(width: 2, height: 1)
        let grey = try PNGPicture(Self.file(size, bits: 16, colour: 0, rows: [0, 1, 2, 3, 4]))
        #expect(grey.samples == [0x102, 0x102, 0x102, 0x304, 0x304, 0x304])
        let opaque = try PNGPicture(Self.file(size, bits: 8, colour: 6, rows: [0, 1, 2, 3, 255, 4, 5, 6, 255]))
        #expect(opaque.samples == [1, 2, 3, 4, 5, 6])
        let error = #expect(throws: PNGError.self) {
            try PNGPicture(Self.file(size, bits: 8, colour: 6, rows: [0, 1, 2, 3, 255, 4, 5, 6, 254]))
        }
        #expect(error?.description.contains("transparent") == true)
    }

    @Test("What cannot stand for a table is refused by name")
    func refusals() throws {
        let size = PixelSize(width: 2, height: 1)
        func problem(_ bits: UInt8, _ colour: UInt8, _ interlace: UInt8 = 0, extra: [UInt8] = []) throws -> String {
            let bytes = try Self.file(
                size, bits: bits, colour: colour, interlace: interlace, rows: [0, 1, 2, 3, 4, 5, 6], extra: extra)
            return "\(#expect(throws: PNGError.self) { try PNGPicture(bytes) }?.description ?? "")"
        }
        #expect(try problem(8, 3).contains("palette"))
        #expect(try problem(4, 0).contains("4 bits"))
        #expect(try problem(8, 2, 1).contains("interlaced"))
        #expect(try problem(8, 2, extra: PNGChunk.encoded("tRNS", [0, 1, 0, 2, 0, 3])).contains("transparent"))
        for (bits, colour) in [(8, 1), (3, 2), (8, 5), (0, 2)] as [(UInt8, UInt8)] {
            #expect(try problem(bits, colour).contains("damaged"))
        }
        #expect(try problem(8, 2, extra: PNGChunk.encoded("ABCD", [])).contains("damaged"))
        let text = PNGChunk.encoded("tEXt", Array("Comment\0x".utf8))
        #expect(throws: Never.self) {
            try PNGPicture(Self.file(size, bits: 8, colour: 2, rows: [0, 1, 2, 3, 4, 5, 6], extra: text))
        }
        let profile = PNGChunk.encoded("iCCP", [1])
        #expect(
            try PNGPicture(Self.file(size, bits: 8, colour: 2, rows: [0, 1, 2, 3, 4, 5, 6], extra: profile)).hasProfile)
        let jpeg = #expect(throws: PNGError.self) { try PNGPicture([0xFF, 0xD8, 0xFF, 0xE0]) }
        #expect(jpeg?.description.contains("save it as PNG") == true)
    }

    @Test("A picture of a wrong size is refused before anything of its size is reserved")
    func bomb() throws {
        let size = PixelSize(width: 1 << 30, height: 1 << 30)
        let bytes = try Self.file(size, bits: 16, colour: 2, rows: [0])
        #expect(throws: PNGError("too", "large")) {
            try PNGPicture(bytes) { _ throws(PNGError) in throw PNGError("too", "large") }
        }
        #expect(throws: PNGError.self) { try PNGPicture(bytes) }
    }

    @Test("Cut off and changed anywhere, a file is refused")
    func damage() throws {
        let whole = try Self.picture(8).encoded()
        for end in 0..<whole.count { #expect(throws: PNGError.self) { try PNGPicture(Array(whole[..<end])) } }
        for place in whole.indices {
            var bytes = whole
            bytes[place] ^= 0x10
            #expect(throws: PNGError.self) { try PNGPicture(bytes) }
        }
    }
}
