import ExternalTools
import PictureFormat
import Pixels
import Testing

@testable import Encode

@Suite("The JPEG encoder")
struct JPEGEncoderTests {
    @Test(
        "A JPEG decodes to its size and coding, also for odd sizes", .needs(.program("identify")),
        arguments: [
            (64, 48), (65, 48), (64, 49), (127, 33), (1, 1), (2, 1), (1, 2), (3, 3), (16, 17), (640, 427),
        ])
    func decodes(width: Int, height: Int) throws {
        for subsampling in [ChromaSubsampling.quarter, .none] {
            let bytes = try encode(makePicture(width, height, subsampling))
            let report = try ExternalTool.run(
                "identify", ["-format", "%w %h %[jpeg:sampling-factor] %Q"], on: bytes)
            let factor = subsampling == .quarter ? "2x2,1x1,1x1" : "1x1,1x1,1x1"
            #expect(report == "\(width) \(height) \(factor) 90")
        }
    }

    @Test("The padding of the planes never reaches the file")
    func ignoresPadding() throws {
        for (width, height) in [(63, 41), (64, 41), (63, 40), (65, 65), (1, 1)] {
            for subsampling in [ChromaSubsampling.quarter, .none] {
                let clean = try encode(makePicture(width, height, subsampling, padding: 0))
                let dirty = try encode(makePicture(width, height, subsampling, padding: 255))
                #expect(clean == dirty)
            }
        }
    }

    @Test("A reused encoder writes the same bytes as a new one")
    func isStateless() throws {
        var warm = try JPEGEncoder(profiles: ICCProfiles())
        for size in [700, 64, 301] {
            let image = makePicture(size, size / 2, .quarter, space: .displayP3)
            try warm.encode(image, quality: 81, segments: .onlyProfile)
            #expect(try warm.copyBytes() == encode(image, quality: 81))
        }
    }

    @Test("Segments are complete and in the order EXIF, XMP, ICC, without JFIF")
    func ordersSegments() throws {
        let exif = Array("Exif\0\0".utf8) + [UInt8](repeating: 7, count: 65_527)
        let xmp = Array("<x/>".utf8)
        let bytes = try encode(makePicture(32, 32), segments: JPEGSegments(exif: exif, xmp: xmp))
        var offset = 0
        for part in [
            [0xFF, 0xD8, 0xFF, 0xE1, 0xFF, 0xFF], exif, [0xFF, 0xE1, 0x00, 0x23], JPEGSegments.xmpSignature, xmp,
        ]
            as [[UInt8]]
        {
            #expect(Array(bytes[offset...].prefix(part.count)) == part)
            offset += part.count
        }
        #expect(Array(bytes[offset..<offset + 2]) == [0xFF, 0xE2])
        let profile = try ICCProfiles()[.sRGB]
        offset += 4 + 14 + profile.count
        #expect(Array(bytes[offset..<offset + 2]) == [0xFF, 0xDB], "the quantisation tables follow the profile")
        #expect(bytes.suffix(2) == [0xFF, 0xD9])
    }

    @Test("Impossible requests give errors that name the limit")
    func refuses() throws {
        let image = makePicture(8, 8)
        for quality in [0, -3, 101, .max] {
            #expect(throws: EncodeError.qualityOutOfRange(quality)) { try encode(image, quality: quality) }
        }
        let exif = JPEGSegments(exif: [UInt8](repeating: 0, count: 65_534), xmp: nil)
        #expect(throws: EncodeError.segmentTooLarge(segment: "EXIF", bytes: 65_534, limit: 65_533)) {
            try encode(image, segments: exif)
        }
        let wide = makePicture(65_501, 1)
        #expect(throws: EncodeError.tooLarge(wide.size)) { try encode(wide) }
    }

    @Test("After an error the encoder holds no file, and the next call works")
    func recovers() throws {
        var encoder = try JPEGEncoder(profiles: ICCProfiles())
        let image = makePicture(40, 30)
        try encoder.encode(image, quality: 90, segments: .bare)
        let first = encoder.copyBytes()
        #expect(throws: EncodeError.self) { try encoder.encode(image, quality: 0, segments: .bare) }
        #expect(encoder.byteCount == 0 && encoder.copyBytes().isEmpty)
        try encoder.encode(image, quality: 90, segments: .bare)
        #expect(encoder.copyBytes() == first)
    }
}
