import ExternalTools
import Foundation
import PictureFormat
import Pixels
import Testing

@testable import Encode

@Suite("TIFF and PNG photos with 16 bits per channel")
struct LosslessFileTests {
    private static let formats: [(coding: PhotoCoding, name: String)] = [(.tiff, "photo.tif"), (.png, "photo.png")]
    private static let sizes = [(640, 427), (64, 64), (65, 65), (63, 129), (33, 640), (1, 200), (200, 1), (1, 1)]

    /// Ramps, noise in the low byte, and flat areas.
    private func samples(_ size: PixelSize) -> [UInt16] {
        var state: UInt32 = 12345
        return (0..<3 * size.pixelCount).map { i in
            let (x, y, channel) = (i / 3 % size.width, i / 3 / size.width, i % 3)
            state = state &* 1_664_525 &+ 1_013_904_223
            if y % 20 < 3 { return x < size.width / 2 ? 0 : 65_535 }
            return UInt16(truncatingIfNeeded: x * 97 + y * 31 * (channel + 1) + Int(state >> 24))
        }
    }

    @Test("Readers find every sample unchanged", .needs(.program("convert")), arguments: sizes)
    func samples(width: Int, height: Int) throws {
        let size = PixelSize(width: width, height: height)
        let samples = samples(size)
        for (coding, name) in Self.formats {
            let file = try RGBPictures.file(coding, samples, size)
            // ImageMagick reads with libtiff and libpng.
            let read = try ExternalTool.convert("convert", file, named: name) {
                [$0, "-depth", "16", "-endian", "LSB", "rgb:-"]
            }
            #expect(read == samples.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, "\(name)")
        }
    }

    @Test("Metadata are complete and in their standard places", .needs(.program("exiftool")), arguments: formats)
    func metadata(coding: PhotoCoding, name: String) throws {
        let size = PixelSize(width: 200, height: 150)
        for space in ColourSpace.allCases {
            let file = try RGBPictures.file(coding, samples(size), size, space: space)
            let judgement = try ExternalTool.run(
                "exiftool", ["-s3", "-validate", "-warning", "-a"], on: file, named: name)
            #expect(judgement == "OK\n")
            let tags = [
                "-ImageWidth", "-ImageHeight", "-Make", "-Artist", "-ExposureTime", "-DateTimeOriginal",
                "-XMP-dc:Format",
                "-ColorSpace", "-ICC_Profile:ProfileDescription",
            ]
            let names = [
                ColourSpace.sRGB: "sRGB", .displayP3: "Display P3", .adobeRGB: "Compatible with Adobe RGB (1998)",
            ]
            #expect(
                try ExternalTool.run("exiftool", ["-s3", "-f"] + tags, on: file, named: name).split(
                    separator: "\n") == [
                        "200", "150", "Maker", "Ann Ütz", "1/125", "2024:05:06 07:08:09", "found",
                        space == .sRGB ? "sRGB" : "Uncalibrated", Substring(try #require(names[space])),
                    ])
        }
    }
}
