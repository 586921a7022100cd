import Concurrency
import ExternalTools
import PictureFormat
import Pixels
import Testing

@testable import Encode

@Suite("Encoding in strips")
struct StripTests {
    /// The file made from strips in this order.
    private func encodeStrips(
        _ image: borrowing OutputImage, order: [Int], segments: JPEGSegments = .onlyProfile,
        with encoder: inout JPEGEncoder
    ) throws -> [UInt8] {
        let strips = try encoder.begin(JPEGCoding(quality: 90, subsampling: .full))
        for index in order { strips.write(image.strip(index)) }
        try encoder.finish(image.colourSpace, segments: segments)
        return encoder.copyBytes()
    }

    private func encoder() throws -> JPEGEncoder { try JPEGEncoder(profiles: ICCProfiles()) }

    @Test(
        "Strips decode to the pixels, size and coding of the same picture encoded at once",
        .needs(.program("identify")),
        .needs(.program("exiftool")),
        arguments: [(640, 427), (64, 64), (65, 65), (63, 129), (33, 640), (1, 200), (200, 1), (17, 63)])
    func samePixels(width: Int, height: Int) throws {
        var encoder = try encoder()
        for subsampling in [ChromaSubsampling.quarter, .none] {
            let image = makePicture(width, height, subsampling)
            let order = Array(0..<PictureStrip.count(image.size))
            let bytes = try encodeStrips(image, order: order, with: &encoder)
            // The size, the coding, and a digest of the pixels.
            let format = ["-format", "%w %h %[jpeg:sampling-factor] %Q %#"]
            #expect(
                try ExternalTool.run("identify", format, on: bytes)
                    == ExternalTool.run("identify", format, on: encode(image)))
            #expect(try ExternalTool.run("exiftool", ["-s3", "-validate", "-warning", "-a"], on: bytes) == "OK\n")
        }
    }

    @Test("The order of the strips and the number of threads do not change the bytes")
    func order() throws {
        var encoder = try encoder()
        let image = makePicture(301, 800)
        let count = PictureStrip.count(image.size)
        let inOrder = try encodeStrips(image, order: Array(0..<count), with: &encoder)
        #expect(try encodeStrips(image, order: (0..<count).reversed(), with: &encoder) == inOrder)
        #expect(try encodeStrips(image, order: (0..<count).shuffled(), with: &encoder) == inOrder)
        for threads in [2, 3, 5] {
            let all = (0..<count).map { image.strip($0) }
            let strips = try encoder.begin(JPEGCoding(quality: 90, subsampling: .full))
            Parallel.forEach(threads) { thread in
                for index in stride(from: thread, to: count, by: threads) { strips.write(all[index]) }
            }
            try encoder.finish(.sRGB, segments: .onlyProfile)
            #expect(encoder.copyBytes() == inOrder)
        }
    }

    @Test("Other pictures may be encoded in between, and the largest metadata fits before the strips")
    func between() throws {
        var encoder = try encoder()
        let image = makePicture(200, 150)
        let order = [0, 1, 2]
        let plain = try encodeStrips(image, order: order, with: &encoder)
        let strips = try encoder.begin(JPEGCoding(quality: 90, subsampling: .full))
        for index in order { strips.write(image.strip(index)) }
        try encoder.encode(makePicture(900, 700), quality: 50, segments: .bare)
        try encoder.finish(.sRGB, segments: .onlyProfile)
        #expect(encoder.copyBytes() == plain)

        let segments = JPEGSegments(
            exif: Array("Exif\0\0".utf8) + [UInt8](repeating: 7, count: 65_527),
            xmp: [UInt8](repeating: 32, count: 65_504))
        let full = try encodeStrips(image, order: order, segments: segments, with: &encoder)
        let start = try segments.header(profile: ICCProfiles()[.sRGB])
        let short = try JPEGSegments.onlyProfile.header(profile: ICCProfiles()[.sRGB])
        #expect(Array(full.prefix(start.count)) == start)
        #expect(full.dropFirst(start.count) == plain.dropFirst(short.count))
    }

    @Test("A missing strip, or a picture that is too large, is an error")
    func refuses() throws {
        var encoder = try encoder()
        let image = makePicture(100, 200)
        #expect(throws: EncodeError.self) { _ = try encodeStrips(image, order: [0, 2, 3], with: &encoder) }
        #expect(throws: EncodeError.self) { _ = try encodeStrips(image, order: [], with: &encoder) }
        #expect(throws: EncodeError.qualityOutOfRange(0)) { _ = try encoder.begin(JPEGCoding(quality: 0)) }
        let wide = makePicture(65_501, 1)
        #expect(throws: EncodeError.tooLarge(wide.size)) {
            _ = try encodeStrips(wide, order: [0], with: &encoder)
        }
        #expect(encoder.byteCount == 0)
        #expect(try encodeStrips(image, order: [0, 1, 2, 3], with: &encoder).count > 1000)
    }
}
