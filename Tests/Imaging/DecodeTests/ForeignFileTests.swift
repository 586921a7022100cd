import Pixels
import TIFF
import Testing

@testable import Decode
@testable import Samples

@Suite struct ForeignFileTests {
    private func reason(_ bytes: [UInt8]) -> DecodeError.Reason? {
        let error = #expect(throws: DecodeError.self) {
            try withRaw(bytes) { raw in _ = try raw.decode().facts }
        }
        return error?.reason
    }

    @Test("An empty file is corrupt; a file of zeros or text is not a RAW")
    func nothing() {
        #expect(reason([]) == .corrupt)
        #expect(reason([UInt8](repeating: 0, count: 100_000)) == .notRaw)
        #expect(reason(Array("Dear diary, today I took no photographs at all.\n".utf8)) == .notRaw)
        #expect(reason([0x49]) == .notRaw || reason([0x49]) == .corrupt)
    }

    @Test("Other picture formats are not RAWs, and the message names the format")
    func otherPictures() {
        let heads: [([UInt8], String)] = [
            ([0xff, 0xd8, 0xff, 0xe0, 0, 16] + Array("JFIF".utf8), "JPEG"),
            ([0x89] + Array("PNG\r\n\u{1a}\n".utf8), "PNG"), (Array("GIF89a".utf8), "GIF"),
            (Array("%PDF-1.4".utf8), "PDF"), ([0, 0, 0, 24] + Array("ftypheic".utf8), "HEIF"),
        ]
        for (head, name) in heads {
            let error = #expect(throws: DecodeError.self) {
                try withRaw(head + [UInt8](repeating: 7, count: 4000)) { raw in _ = try raw.decode().facts }
            }
            #expect(error?.reason == .notRaw)
            #expect(error?.message.contains(name) == true)
        }
    }

    @Test("An ordinary TIFF is not a RAW, although LibRaw accepts it")
    func plainTIFF() {
        let directory = ImageFileDirectory([
            .imageWidth: .longs([64]), .imageLength: .longs([48]), .bitsPerSample: .shorts([8, 8, 8]),
            .compression: .shorts([1]), .photometricInterpretation: .shorts([2]),
            .stripOffsets: .chunkOffsets(first: 0, count: 1), .samplesPerPixel: .shorts([3]),
            .rowsPerStrip: .longs([48]), .stripByteCounts: .longs([64 * 48 * 3]),
        ])
        let pixels = [UInt8](repeating: 99, count: 64 * 48 * 3)
        #expect(reason(TIFFBuilder(littleEndian: true, chunks: [pixels]).file(directory)) == .notRaw)
    }

    @Test("A DNG truncated anywhere is corrupt in every storage form", arguments: DNGVariants.chunkings, [14, 16])
    func cut(chunking: DNGChunking, bits: Int) {
        let ways: [DNGCompression] = [.none(bits: bits), .losslessJPEG(predictor: 1)]
        for way in ways {
            let picture = DNGVariant(compression: way, chunking: chunking).picture()
            let bytes = DNGVariant().file(picture)
            for part in [100, 500, bytes.count / 2, bytes.count * 9 / 10, bytes.count - 40] {
                #expect(reason(Array(bytes.prefix(part))) == .corrupt, "\(part) of \(bytes.count) bytes")
            }
        }
    }

    @Test("A DNG with compression 0 is corrupt, although LibRaw would read its compressed samples as plain ones")
    func noCompression() throws {
        var bytes = DNGVariant().file(DNGVariant().picture())
        // Compression, a 16-bit number, count 1: JPEG.
        let field: [UInt8] = [0x03, 0x01, 3, 0, 1, 0, 0, 0, 7, 0]
        let offset = try #require(bytes.indices.first { bytes[$0...].starts(with: field) })
        bytes[offset + 8] = 0
        #expect(reason(bytes) == .corrupt)
    }

    @Test("A DNG with more depths than samples per pixel, whose digest would not be checked, is corrupt")
    func surplusDepths() throws {
        var bytes = DNGVariant().file(DNGVariant().picture())
        // BitsPerSample, a 16-bit number, count 1.
        let field: [UInt8] = [0x02, 0x01, 3, 0, 1, 0, 0, 0]
        let offset = try #require(bytes.indices.first { bytes[$0...].starts(with: field) })
        bytes[offset + 4] = 2
        #expect(reason(bytes) == .corrupt)
    }

    @Test("A count of 36 filters for a 2 × 2 pattern is corrupt, and does not crash LibRaw")
    func overrunningFilters() throws {
        var bytes = DNGVariant().file(DNGVariant().picture())
        // CFAPattern, bytes, count 4.
        let field: [UInt8] = [0x8e, 0x82, 1, 0, 4, 0, 0, 0]
        let offset = try #require(bytes.indices.first { bytes[$0...].starts(with: field) })
        bytes[offset + 4] = 36
        #expect(reason(bytes) == .corrupt)
    }
}
