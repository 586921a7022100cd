import ExternalTools
import PictureFormat
import Pixels
import Testing

@testable import Encode

@Suite("Encoding in strips")
struct StripTests {
    /// The file made from strips in this order.
    private func encodeStrips(
        _ image: borrowing OutputImage, order: [Int]? = nil, segments: JPEGSegments = .onlyProfile,
        in memory: JPEGMemory
    ) throws -> [UInt8] {
        try encodeFromStrips(image, JPEGCoding(quality: 90, subsampling: .full), order: order, segments, in: memory)
    }

    @Test(
        "Strips decode to the pixels, size and coding of the same picture encoded at once",
        .needs(.program("identify")),
        .needs(.program("exiftool")),
        arguments: [(640, 427), (64, 64), (65, 65), (63, 129), (33, 640), (1, 200), (200, 1), (17, 63)])
    func samePixels(width: Int, height: Int) throws {
        let memory = JPEGMemory()
        for subsampling in [ChromaSubsampling.quarter, .none] {
            let image = makePicture(width, height, subsampling)
            let bytes = try encodeStrips(image, in: memory)
            // Size, coding, and a digest of the pixels.
            let format = ["-format", "%w %h %[jpeg:sampling-factor] %Q %#"]
            #expect(
                try ExternalTool.run("identify", format, on: bytes)
                    == ExternalTool.run("identify", format, on: encode(image)))
            #expect(try ExternalTool.run("exiftool", ["-s3", "-validate", "-warning", "-a"], on: bytes) == "OK\n")
        }
    }

    @Test("The largest metadata fit before the strips")
    func largestMetadata() throws {
        let memory = JPEGMemory()
        let image = makePicture(200, 150)
        let plain = try encodeStrips(image, in: memory)
        let segments = JPEGSegments(
            exif: Array("Exif\0\0".utf8) + [UInt8](repeating: 7, count: 65_527),
            xmp: [UInt8](repeating: 32, count: 65_504))
        let full = try encodeStrips(image, segments: segments, in: memory)
        let start = try segments.header(profile: ICCProfiles()[.sRGB])
        let short = try JPEGSegments.onlyProfile.header(profile: ICCProfiles()[.sRGB])
        #expect(Array(full.prefix(start.count)) == start)
        #expect(full.dropFirst(start.count) == plain.dropFirst(short.count))
    }

    @Test("A missing strip and a picture that is too large are errors")
    func refuses() throws {
        let memory = JPEGMemory()
        let image = makePicture(100, 200)
        #expect(throws: EncodeError.self) { _ = try encodeStrips(image, order: [0, 2, 3], in: memory) }
        #expect(throws: EncodeError.self) { _ = try encodeStrips(image, order: [], in: memory) }
        let wide = makePicture(65_501, 1)
        #expect(throws: EncodeError.tooLarge(wide.size)) {
            _ = try encodeStrips(wide, order: [0], in: memory)
        }
        #expect(try encodeStrips(image, order: [0, 1, 2, 3], in: memory).count > 1000)
    }
}
