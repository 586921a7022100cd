import Concurrency
import ExternalTools
import Foundation
import Metadata
import PictureFormat
import Pixels
import TIFF
import Testing

@testable import Encode

@Suite("TIFF and PNG photos with 16 bits a channel")
struct SixteenBitFileTests {
    private static let formats = PhotoFormat.allCases.filter(\.has16Bits)
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

    private func metadata(_ size: PixelSize, _ space: ColourSpace = .sRGB) throws -> RGB16Metadata {
        let exif = RenditionExif(
            source: SourceMetadata(
                make: "Maker", model: "Model",
                exif: [.rational(.photo, .exposureTime, 1, 125), .text(.image, .artist, "Ann Ütz")],
                captured: "2024:05:06 07:08:09"),
            width: size.width, height: size.height, isSRGB: space == .sRGB, software: "Rawmill")
        let xmp = """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
            xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
            xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:format>found</dc:format></rdf:Description></rdf:RDF>\
            </x:xmpmeta><?xpacket end="w"?>
            """
        return RGB16Metadata(exif: exif, xmp: Array(xmp.utf8), profile: try ICCProfiles()[space])
    }

    /// The file made of strips in this order.
    private func encode(
        _ samples: [UInt16], _ size: PixelSize, format: PhotoFormat, order: [Int], threads: Int = 1,
        to file: MemoryFile = MemoryFile()
    ) throws -> [UInt8] {
        let encoder = try RGB16Encoder(format, metadata(size), file: file)
        Parallel.forEach(threads) { thread in
            for place in stride(from: thread, to: order.count, by: threads) {
                let first = 3 * size.width * PictureStrip.rows * order[place]
                // An encoder may change what it is lent.
                var copy = Array(samples[first..<min(first + 3 * size.width * PictureStrip.rows, samples.count)])
                copy.withUnsafeMutableBufferPointer { rows in
                    guard let start = rows.baseAddress else { return }
                    encoder.write(
                        RGB16Strip(index: order[place], of: size, samples: start, strideSamples: 3 * size.width))
                }
            }
        }
        let byteCount = try encoder.finish()
        #expect(byteCount == file.bytes.count)
        return file.bytes
    }

    private func inOrder(_ size: PixelSize) -> [Int] { Array(0..<PictureStrip.count(size)) }

    @Test("Readers find every sample as it was", .needs(.program("convert")), arguments: sizes)
    func samples(width: Int, height: Int) throws {
        let size = PixelSize(width: width, height: height)
        let samples = samples(size)
        for format in Self.formats {
            let file = try encode(samples, size, format: format, order: inOrder(size))
            // ImageMagick reads with libtiff and libpng.
            let read = try ExternalTool.convert("convert", file, named: "photo.\(format.fileExtension)") {
                [$0, "-depth", "16", "-endian", "LSB", "rgb:-"]
            }
            #expect(read == samples.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, "\(format)")
        }
    }

    @Test("Metadata is whole, and where readers look for it", .needs(.program("exiftool")), arguments: formats)
    func metadata(format: PhotoFormat) throws {
        let size = PixelSize(width: 200, height: 150)
        let name = "photo.\(format.fileExtension)"
        for space in ColourSpace.allCases {
            let file = MemoryFile()
            let encoder = try RGB16Encoder(format, metadata(size, space), file: file)
            var samples = samples(size)
            samples.withUnsafeMutableBufferPointer { rows in
                guard let start = rows.baseAddress else { return }
                for index in 0..<3 {
                    encoder.write(
                        RGB16Strip(
                            index: index, of: size, samples: start + 3 * 200 * 64 * index, strideSamples: 600))
                }
            }
            _ = try encoder.finish()
            let judgement = try ExternalTool.run(
                "exiftool", ["-s3", "-validate", "-warning", "-a"], on: file.bytes, named: name)
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
                try ExternalTool.run("exiftool", ["-s3", "-f"] + tags, on: file.bytes, named: name).split(
                    separator: "\n") == [
                        "200", "150", "Maker", "Ann Ütz", "1/125", "2024:05:06 07:08:09", "found",
                        space == .sRGB ? "sRGB" : "Uncalibrated", Substring(try #require(names[space])),
                    ])
        }
    }

    @Test("The order of the strips and the number of threads do not change the bytes", arguments: formats)
    func order(format: PhotoFormat) throws {
        let size = PixelSize(width: 301, height: 800)
        let samples = samples(size)
        let order = inOrder(size)
        let file = try encode(samples, size, format: format, order: order)
        #expect(!file.suffix(file.count - 4096).starts(with: [UInt8](repeating: 0xEE, count: 64)))
        #expect(try encode(samples, size, format: format, order: order.reversed()) == file)
        #expect(try encode(samples, size, format: format, order: order.shuffled()) == file)
        for threads in [2, 3, 5] {
            #expect(try encode(samples, size, format: format, order: order.shuffled(), threads: threads) == file)
        }
    }

    @Test("What cannot be written whole is an error", arguments: formats)
    func failures(format: PhotoFormat) throws {
        let size = PixelSize(width: 80, height: 300)
        let samples = samples(size)
        #expect(throws: EncodeError.encoderFailed("it was given only a part of the picture")) {
            _ = try encode(samples, size, format: format, order: [0, 1, 2, 4])
        }
        #expect(throws: EncodeError.encoderFailed("it was given a strip twice")) {
            _ = try encode(samples, size, format: format, order: [0, 1, 2, 3, 4, 2])
        }
        for writes in 0..<7 {
            #expect(throws: EncodeError.fileFailed, "after \(writes)") {
                let file = MemoryFile(writesLeft: writes)
                _ = try encode(samples, size, format: format, order: inOrder(size), to: file)
            }
        }
        let huge = PixelSize(width: 65_500, height: 65_500)
        #expect(throws: EncodeError.tooLargeForFormat(huge)) {
            _ = try RGB16Encoder(format, metadata(huge), file: MemoryFile())
        }
    }
}
