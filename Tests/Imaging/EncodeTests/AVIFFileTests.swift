import ExternalTools
import Foundation
import Metadata
import PictureFormat
import Pixels
import Testing

@testable import Encode

@Suite("AVIF photos")
struct AVIFFileTests {
    private static func encode(
        _ samples: [UInt16], _ size: PixelSize, quality: Int = 92, space: ColourSpace = .sRGB
    ) throws -> [UInt8] {
        try RGBPictures.file(
            .avif(LossyCoding(quality: quality, colourSpace: space)), samples, size, space: space)
    }

    private static func decoded(_ file: [UInt8]) throws -> [UInt16] {
        try RGBPictures.decoded(file, named: "photo.avif", by: "avifdec", ["-d", "16"], to: "photo.png")
    }

    @Test(
        "A reader finds the picture, in every size", .needs(.program("avifdec")), .needs(.program("convert")),
        arguments: [(320, 213), (64, 64), (65, 65), (33, 300), (1, 100), (100, 1), (1, 1)])
    func picture(width: Int, height: Int) throws {
        let size = PixelSize(width: width, height: height)
        let samples = RGBPictures.samples(size)
        // At quality 100 the error is that of ten-bit Y′CbCr: less than one of 1,023 steps.
        #expect(RGBPictures.error(try Self.decoded(Self.encode(samples, size, quality: 100)), samples) < 64)
        #expect(RGBPictures.error(try Self.decoded(Self.encode(samples, size)), samples) < 400)
        #expect(PhotoMetadata.size(of: PhotoBytes(try Self.encode(samples, size))) == size)
    }

    @Test(
        "The ends of the scale are preserved", .needs(.program("avifdec")), .needs(.program("convert")),
        arguments: [[0, 0, 0], [65_535, 65_535, 65_535], [65_535, 0, 0], [0, 65_535, 0], [0, 0, 65_535]] as [[UInt16]])
    func extremes(colour: [UInt16]) throws {
        let size = PixelSize(width: 16, height: 16)
        let samples = (0..<3 * size.pixelCount).map { colour[$0 % 3] }
        #expect(RGBPictures.error(try Self.decoded(Self.encode(samples, size, quality: 100)), samples) < 130)
    }

    @Test("A higher quality is closer and larger", .needs(.program("avifdec")), .needs(.program("convert")))
    func quality() throws {
        let size = PixelSize(width: 320, height: 213)
        let samples = RGBPictures.samples(size)
        var last = (bytes: 0, error: Double.infinity)
        for quality in [30, 60, 80, 92, 100] {
            let file = try Self.encode(samples, size, quality: quality)
            let error = RGBPictures.error(try Self.decoded(file), samples)
            #expect(file.count > last.bytes && error < last.error, "quality \(quality)")
            last = (file.count, error)
        }
    }

    @Test(
        "Metadata is complete, and the colour space is stated", .needs(.program("exiftool")),
        arguments: ColourSpace.allCases)
    func metadata(space: ColourSpace) throws {
        let size = PixelSize(width: 200, height: 150)
        let file = try Self.encode(RGBPictures.samples(size), size, space: space)
        let judgement = try ExternalTool.run(
            "exiftool", ["-s3", "-validate", "-warning", "-a"], on: file, named: "photo.avif")
        #expect(judgement == "OK\n")
        let tags = [
            "-ImageWidth", "-ImageHeight", "-Make", "-Artist", "-ExposureTime", "-DateTimeOriginal", "-XMP-dc:Format",
            "-ColorSpace", "-ICC_Profile:ProfileDescription", "-ColorPrimaries", "-ImagePixelDepth",
        ]
        let told: [Substring] =
            switch space {
            case .sRGB: ["sRGB", "-", "BT.709"]
            case .displayP3: ["Uncalibrated", "-", "SMPTE EG 432 (Display P3)"]
            case .adobeRGB: ["Uncalibrated", "Compatible with Adobe RGB (1998)", "Unspecified"]
            }
        let found = try ExternalTool.run("exiftool", ["-s3", "-f"] + tags, on: file, named: "photo.avif")
            .split(separator: "\n")
        #expect(
            found.dropLast(2) == [
                "200", "150", "Maker", "Ann Ütz", "1/125", "2024:05:06 07:08:09", "found", told[0], told[1],
            ])
        #expect(found.dropLast().last?.hasPrefix(told[2].prefix(5)) == true, "\(found)")
        #expect(found.last == "10 10 10")
    }

    @Test(
        "aom gives the same bytes with any vector instructions", .needs(.program("avifenc")),
        .needs(.program("convert")))
    func instructions() throws {
        let size = PixelSize(width: 400, height: 300)
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let samples = RGBPictures.samples(size).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        try Data(samples).write(to: folder.appending(path: "photo.rgb"))
        let picture = folder.appending(path: "photo.png").path
        _ = try ExternalTool.run(
            "convert",
            ["-size", "400x300", "-depth", "16", "-endian", "LSB", folder.appending(path: "photo.rgb").path, picture])
        // SSE2; up to SSE4.1; up to AVX; all.
        let files = try ["0x7", "0x3f", "0x7f", "0xffff"].map { mask in
            let file = folder.appending(path: "\(mask).avif")
            _ = try ExternalTool.run(
                "env",
                [
                    "AOM_SIMD_CAPS_MASK=\(mask)", "avifenc", "-j", "1", "-s", "\(AVIFPhoto.speed)", "-c", "aom",
                    "--min", "0", "--max", "63", "-a", "end-usage=q", "-a", "cq-level=9", "-d", "10", "-y", "444",
                    picture, file.path,
                ])
            return try Data(contentsOf: file)
        }
        #expect(Set(files).count == 1)
    }

    @Test("The encoder is named with its version") func version() {
        #expect(AVIFLibrary.encoder.wholeMatch(of: /libavif \d+\.\d+\.\d+, aom \d+\.\d+\.\d+.*/) != nil)
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
