import Pixels
import Testing

@testable import Encode

struct ThumbnailTests {
    @Test(
        "A thumbnail keeps the shape, is never larger than the picture, and is never empty",
        arguments: [
            (6000, 4000, 160, 107), (4000, 6000, 107, 160), (100, 80, 100, 80), (60_000, 10, 160, 1), (1, 1, 1, 1),
            (161, 161, 160, 160),
        ])
    func fits(width: Int, height: Int, smallWidth: Int, smallHeight: Int) {
        let size = Thumbnail.fit(PixelSize(width: width, height: height), longEdge: 160)
        #expect(size == PixelSize(width: smallWidth, height: smallHeight))
    }

    @Test("A thumbnail is a bare JPEG of its size, small enough for EXIF")
    func encodes() throws {
        for subsampling in [ChromaSubsampling.quarter, .none] {
            var encoder = try JPEGEncoder(profiles: ICCProfiles())
            let bytes = try encoder.thumbnail(of: makePicture(901, 603, subsampling))
            #expect(bytes.count < 40_000 && bytes.starts(with: [0xFF, 0xD8, 0xFF, 0xDB]))
            #expect(try judge(bytes, by: ["identify", "-format", "%w %h"]) == "160 107")
        }
    }

    @Test("An even picture stays even, and the mean of any picture stays within one step")
    func keepsMean() {
        func mean(_ plane: borrowing Plane<UInt8>) -> Double {
            var sum = 0
            for y in 0..<plane.height {
                for x in 0..<plane.width { sum += Int(plane.row(y)[x]) }
            }
            return Double(sum) / Double(plane.width * plane.height)
        }
        let picture = makePicture(640, 320)
        let small = Thumbnail.reduce(picture, longEdge: 160)
        #expect(abs(mean(small.luma) - mean(picture.luma)) < 1)
        #expect(abs(mean(small.cb) - mean(picture.cb)) < 1 && abs(mean(small.cr) - mean(picture.cr)) < 1)
    }
}
