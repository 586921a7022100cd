import ExternalTools
import PictureFormat
import Pixels
import Testing

@testable import Encode

@Suite("JPEG codings")
struct CodingTests {
    /// Encodes a picture via strips.
    private func encode(_ image: borrowing OutputImage, _ coding: JPEGCoding) throws -> [UInt8] {
        try encodeFromStrips(image, coding, in: JPEGMemory())
    }

    private func pixels(_ jpeg: [UInt8]) throws -> String {
        try ExternalTool.run("identify", ["-format", "%#"], on: jpeg)
    }

    @Test(
        "exiftool and identify read every coding", .needs(.program("exiftool")), .needs(.program("identify")),
        arguments: [(640, 427), (65, 65), (63, 129), (1, 200), (200, 1), (17, 63)], [false, true])
    func readable(size: (Int, Int), isProgressive: Bool) throws {
        let image = makePicture(size.0, size.1, .none)
        for (subsampling, name) in [(JPEGSubsampling.half, "YCbCr4:2:2 (2 1)"), (.full, "YCbCr4:4:4 (1 1)")] {
            let coding = JPEGCoding(quality: 90, subsampling: subsampling, isProgressive: isProgressive)
            let bytes = try encode(image, coding)
            let read = ["-s3", "-validate", "-warning", "-a", "-YCbCrSubSampling", "-EncodingProcess"]
            let process = isProgressive ? "Progressive DCT, Huffman coding" : "Baseline DCT, Huffman coding"
            #expect(try ExternalTool.run("exiftool", read, on: bytes) == "OK\n\(name)\n\(process)\n")
            #expect(
                try ExternalTool.run("identify", ["-format", "%w %h %Q"], on: bytes) == "\(size.0) \(size.1) 90")
        }
    }

    @Test("A progressive file has the pixels of the baseline file, and is smaller", .needs(.program("identify")))
    func samePixels() throws {
        for subsampling in [JPEGSubsampling.half, .full] {
            let image = makePicture(640, 427, .none)
            let plain = try encode(image, JPEGCoding(quality: 90, subsampling: subsampling))
            let passes = try encode(image, JPEGCoding(quality: 90, subsampling: subsampling, isProgressive: true))
            #expect(try pixels(passes) == pixels(plain))
            #expect(passes.count < plain.count)
        }
        let image = makePicture(640, 427)
        let plain = try encode(image, JPEGCoding(quality: 80))
        let passes = try encode(image, JPEGCoding(quality: 80, isProgressive: true))
        #expect(try pixels(passes) == pixels(plain))
        #expect(passes.count < plain.count)
    }

    @Test("Each pair of chroma samples in a row becomes its mean, and luma is unchanged", arguments: [64, 65])
    func halved(width: Int) {
        let image = makePicture(width, 70, .none)
        let chroma = HalvedChroma()
        let strip = image.strip(1)
        let planes = JPEGPlanes(halving: strip, in: chroma)
        #expect(planes.size == PixelSize(width: width, height: 6))
        #expect(planes.luma == strip.luma)
        for y in 0..<6 {
            for x in 0..<(width + 1) / 2 {
                let left = Double(strip.cb[y * strip.chromaStride + 2 * x])
                let right = 2 * x + 1 < width ? Double(strip.cb[y * strip.chromaStride + 2 * x + 1]) : left
                let mean = Double(planes.cb[y * planes.chromaStride + x])
                #expect(abs(mean - (left + right) / 2) <= 0.5)
            }
        }
    }

    @Test("Full chroma is kept from quality 88 on, unless the recipe states otherwise")
    func auto() {
        #expect(JPEGCoding(quality: 87).subsampling == .quarter)
        #expect(JPEGCoding(quality: 88).subsampling == .full)
        #expect(JPEGCoding(quality: 95, subsampling: .quarter).subsampling == .quarter)
        #expect(JPEGCoding(quality: 10, subsampling: .half).subsampling == .half)
    }
}
