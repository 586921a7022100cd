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

    @Test("A picture survives a round trip", arguments: [8, 16])
    func roundTrip(bits: Int) throws {
        let picture = Self.picture(bits)
        #expect(try PNGPicture(picture.encoded()) == picture)
    }

    /// A file with custom header fields and filtered rows.
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

    @Test("Grey applies to all three channels, and opaque alpha is ignored")
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

    @Test("Palette colours are found by index, of 1, 2, 4 or 8 bits, and so are greys of few bits")
    func palette() throws {
        let size = PixelSize(width: 5, height: 2)
        let palette = PNGChunk.encoded("PLTE", [10, 20, 30, 40, 50, 60])
        let wanted: [UInt16] = [1, 0, 1, 1, 0, 0, 0, 1, 0, 1]
        for (bits, rows) in [
            (1, [0, 0b1011_0000, 0, 0b0010_1000]), (2, [0, 0b0100_0101, 0, 0, 0b0000_0100, 0x40]),
            (4, [0, 0x10, 0x11, 0, 0, 0x00, 0x10, 0x10]), (8, [0, 1, 0, 1, 1, 0, 0, 0, 0, 1, 0, 1]),
        ] as [(UInt8, [UInt8])] {
            let read = try PNGPicture(Self.file(size, bits: bits, colour: 3, rows: rows, extra: palette))
            #expect(read.samples == wanted.flatMap { $0 == 1 ? [40, 50, 60] : [10, 20, 30] })
            #expect(read.bits == 8 && read.paletteColours == 2)
            let grey = try PNGPicture(Self.file(size, bits: bits, colour: 0, rows: rows))
            let white: UInt16 = bits == 8 ? 1 : 255 / ((1 << UInt16(bits)) - 1)
            #expect(grey.samples == wanted.flatMap { Array(repeating: $0 * white, count: 3) })
        }
    }

    @Test("An interlaced picture is the same picture", arguments: [1, 2, 3, 5, 8, 13], [1, 2, 4, 7, 9])
    func interlaced(width: Int, height: Int) throws {
        let size = PixelSize(width: width, height: height)
        let picture = Self.picture(16, size)
        // The seven passes as drawn in the specification (W3C, 8.2).
        let pattern = [
            [1, 6, 4, 6, 2, 6, 4, 6], [7, 7, 7, 7, 7, 7, 7, 7], [5, 6, 5, 6, 5, 6, 5, 6], [7, 7, 7, 7, 7, 7, 7, 7],
            [3, 6, 4, 6, 3, 6, 4, 6], [7, 7, 7, 7, 7, 7, 7, 7], [5, 6, 5, 6, 5, 6, 5, 6], [7, 7, 7, 7, 7, 7, 7, 7],
        ]
        var rows: [UInt8] = []
        for pass in 1...7 {
            var above: [UInt8] = []
            for y in 0..<height {
                let row = (0..<width).filter { pattern[y % 8][$0 % 8] == pass }.flatMap { x in
                    (0..<3).flatMap { channel -> [UInt8] in
                        let sample = picture.samples[3 * (y * width + x) + channel]
                        return [UInt8(sample >> 8), UInt8(sample & 0xFF)]
                    }
                }
                guard !row.isEmpty else { continue }
                // Filtered by the row above in the same pass, if there is one.
                rows.append(2)
                rows += row.indices.map { row[$0] &- (above.isEmpty ? 0 : above[$0]) }
                above = row
            }
        }
        #expect(
            try PNGPicture(Self.file(size, bits: 16, colour: 2, interlace: 1, rows: rows)).samples == picture.samples)
    }

    @Test("Pictures that cannot be a table are refused by name")
    func refusals() throws {
        let size = PixelSize(width: 2, height: 1)
        func problem(_ bits: UInt8, _ colour: UInt8, _ interlace: UInt8 = 0, extra: [UInt8] = []) throws -> String {
            let bytes = try Self.file(
                size, bits: bits, colour: colour, interlace: interlace, rows: [0, 1, 2, 3, 4, 5, 6], extra: extra)
            return "\(#expect(throws: PNGError.self) { try PNGPicture(bytes) }?.description ?? "")"
        }
        #expect(try problem(8, 2, extra: PNGChunk.encoded("tRNS", [0, 1, 0, 2, 0, 3])).contains("transparent"))
        // A palette that is missing, longer than 256 colours, or of half a colour.
        #expect(try problem(8, 3).contains("damaged"))
        for count in [0, 4, 769, 771] {
            let palette = PNGChunk.encoded("PLTE", Array(repeating: 9, count: count))
            #expect(try problem(8, 3, extra: palette).contains("damaged"))
        }
        // An index beyond the palette.
        #expect(throws: PNGError("the PNG file is damaged", "copy or save it again")) {
            try PNGPicture(
                Self.file(
                    size, bits: 8, colour: 3, rows: [0, 1, 2], extra: PNGChunk.encoded("PLTE", [1, 2, 3, 4, 5, 6])))
        }
        for (bits, colour) in [(8, 1), (3, 2), (8, 5), (0, 2), (16, 3), (4, 2), (4, 6)] as [(UInt8, UInt8)] {
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

    @Test("A picture of a wrong size is refused before memory of its size is reserved")
    func bomb() throws {
        let size = PixelSize(width: 1 << 30, height: 1 << 30)
        let bytes = try Self.file(size, bits: 16, colour: 2, rows: [0])
        #expect(throws: PNGError("too", "large")) {
            try PNGPicture(bytes) { _ throws(PNGError) in throw PNGError("too", "large") }
        }
        #expect(throws: PNGError.self) { try PNGPicture(bytes) }
    }

    @Test("Truncated or changed anywhere, a file is refused")
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
