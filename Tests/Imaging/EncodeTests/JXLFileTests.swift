import Digest
import ExternalTools
import Foundation
import Metadata
import PictureFormat
import Pixels
import Testing

@testable import Encode

@Suite("JPEG XL photos")
struct JXLFileTests {
    private static func encode(
        _ samples: [UInt16], _ size: PixelSize, quality: Int = 92, space: ColourSpace = .sRGB
    ) throws -> [UInt8] {
        try RGBPictures.file(
            .jxl(LossyCoding(quality: quality, colourSpace: space)), samples, size, space: space)
    }

    private static func decoded(_ file: [UInt8]) throws -> [UInt16] {
        try RGBPictures.decoded(
            file, named: "photo.jxl", by: "djxl", ["--bits_per_sample=16"], to: "photo.ppm")
    }

    @Test(
        "A reader finds the picture, in every size", .needs(.program("djxl")), .needs(.program("convert")),
        arguments: [(320, 213), (64, 64), (65, 65), (33, 300), (1, 100), (100, 1), (1, 1), (300, 300), (16, 1032)])
    func picture(width: Int, height: Int) throws {
        let size = PixelSize(width: width, height: height)
        let samples = RGBPictures.samples(size)
        let best = RGBPictures.error(try Self.decoded(Self.encode(samples, size, quality: 100)), samples)
        #expect(best < 130)
        let file = try Self.encode(samples, size)
        let usual = RGBPictures.error(try Self.decoded(file), samples)
        #expect(usual < 600)
        #expect(PhotoMetadata.size(of: PhotoBytes(file)) == size)
    }

    @Test(
        "The codestream's aspect ratios and side lengths are read",
        arguments: [
            (256, 256), (248, 200), (2400, 2000), (400, 300), (1536, 1024), (640, 360), (500, 400), (512, 256),
            (9000, 2),
            (3, 600), (513, 9000),
        ])
    func sizes(width: Int, height: Int) throws {
        let size = PixelSize(width: width, height: height)
        let samples = [UInt16](repeating: 20_000, count: 3 * size.pixelCount)
        let file = PhotoBytes(try Self.encode(samples, size))
        #expect(PhotoMetadata.size(of: file) == size)
    }

    @Test(
        "Each colour space is preserved", .needs(.program("djxl")), .needs(.program("convert")),
        arguments: ColourSpace.allCases)
    func colours(space: ColourSpace) throws {
        for colour in [[0, 0, 0], [65_535, 65_535, 65_535], [60_000, 3_000, 3_000], [2_000, 64_000, 2_000]] {
            let size = PixelSize(width: 16, height: 16)
            let samples = (0..<3 * size.pixelCount).map { UInt16(colour[$0 % 3]) }
            let file = try Self.encode(samples, size, quality: 100, space: space)
            #expect(RGBPictures.error(try Self.decoded(file), samples) < 400, "\(colour)")
        }
    }

    @Test("A higher quality is closer and larger", .needs(.program("djxl")), .needs(.program("convert")))
    func quality() throws {
        let size = PixelSize(width: 320, height: 213)
        let samples = RGBPictures.samples(size)
        var last = (bytes: 0, error: Double.infinity)
        for quality in [1, 30, 60, 80, 92, 100] {
            let file = try Self.encode(samples, size, quality: quality)
            let error = RGBPictures.error(try Self.decoded(file), samples)
            #expect(file.count > last.bytes && error < last.error, "quality \(quality)")
            last = (file.count, error)
        }
    }

    @Test("Distances are those of cjxl")
    func distances() {
        for (quality, distance) in [(99, 0.19), (92, 0.82), (90, 1), (75, 2.35), (30, 6.4), (29, 6.5077), (1, 23.8677)]
        {
            #expect(abs(LossyCoding(quality: quality, colourSpace: .sRGB).distance - distance) < 0.001)
        }
    }

    @Test(
        "Metadata and the colour space are complete", .needs(.program("exiftool")), .needs(.program("jxlinfo")),
        arguments: ColourSpace.allCases)
    func metadata(space: ColourSpace) throws {
        let size = PixelSize(width: 200, height: 150)
        let file = try Self.encode(RGBPictures.samples(size), size, space: space)
        let judgement = try ExternalTool.run(
            "exiftool", ["-s3", "-validate", "-warning", "-a"], on: file, named: "photo.jxl")
        #expect(judgement == "OK\n")
        let tags = [
            "-Make", "-Artist", "-ExposureTime", "-DateTimeOriginal", "-XMP-dc:Format",
            "-ColorSpace", "-Orientation",
        ]
        let found = try ExternalTool.run("exiftool", ["-s3", "-f"] + tags, on: file, named: "photo.jxl")
        #expect(
            found.split(separator: "\n") == [
                "Maker", "Ann Ütz", "1/125", "2024:05:06 07:08:09", "found", space == .sRGB ? "sRGB" : "Uncalibrated",
                "Horizontal (normal)",
            ])
        let told = try ExternalTool.run("jxlinfo", [], on: file, named: "photo.jxl")
        #expect(told.contains("200x150") && told.contains("16-bit RGB"), "\(told)")
        switch space {
        case .sRGB: #expect(told.contains("sRGB primaries, sRGB transfer function"), "\(told)")
        case .displayP3: #expect(told.contains("P3 primaries, sRGB transfer function"), "\(told)")
        case .adobeRGB: #expect(told.contains("0.454707"), "\(told)")
        }
    }

    @Test("The encoder is named with its version") func version() {
        #expect(JXLLibrary.encoder.wholeMatch(of: /libjxl \d+\.\d+\.\d+/) != nil)
    }

    @Test("A truncated file is incomplete, and its packet is found while it is present")
    func cut() throws {
        let size = PixelSize(width: 64, height: 64)
        let file = try Self.encode(RGBPictures.samples(size), size)
        #expect(PhotoMetadata.isWhole(PhotoBytes(file), byteCount: UInt64(file.count)))
        #expect(try PhotoMetadata.xmpPacket(in: PhotoBytes(file)) == RGBPictures.metadata(size).xmp)
        for count in 0..<file.count where count % 7 == 0 || count > file.count - 40 {
            let part = PhotoBytes(Array(file[..<count]))
            #expect(!PhotoMetadata.isWhole(part, byteCount: UInt64(count)), "\(count) bytes")
            _ = try? PhotoMetadata.xmpPacket(in: part)
            _ = PhotoMetadata.size(of: part)
        }
    }
}
