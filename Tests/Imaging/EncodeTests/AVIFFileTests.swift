import Concurrency
import ExternalTools
import Foundation
import Metadata
import PictureFormat
import Pixels
import Testing

@testable import Encode

@Suite("AVIF photos")
struct AVIFFileTests {
    /// Smooth colours with some structure.
    private static func samples(_ size: PixelSize) -> [UInt16] {
        (0..<3 * size.pixelCount).map { i in
            let (x, y, channel) = (i / 3 % size.width, i / 3 / size.width, i % 3)
            let wave = 9_000 * sin(Double(x) * 0.13 * Double(channel + 1)) * cos(Double(y) * 0.07)
            return UInt16(clamping: 20_000 + x * 60 + y * 40 * channel + Int(wave))
        }
    }

    private static func metadata(_ size: PixelSize, _ space: ColourSpace = .sRGB) throws -> RGB16Metadata {
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

    /// The file made of the strips in this order.
    private static func encode(
        _ samples: [UInt16], _ size: PixelSize, quality: Int = 92, space: ColourSpace = .sRGB, order: [Int]? = nil,
        threads: Int = 1, to file: MemoryFile = MemoryFile()
    ) throws -> [UInt8] {
        let encoder = try AVIFEncoder(
            AVIFCoding(quality: quality, colourSpace: space), metadata(size, space), file: file)
        let order = order ?? Array(0..<PictureStrip.count(size))
        Parallel.forEach(threads) { thread in
            for place in stride(from: thread, to: order.count, by: threads) {
                let first = 3 * size.width * PictureStrip.rows * order[place]
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

    /// What avifdec makes of a file: R′G′B′ of 16 bits.
    private static func decoded(_ file: [UInt8]) throws -> [UInt16] {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (photo, picture) = (folder.appending(path: "photo.avif"), folder.appending(path: "photo.png"))
        try Data(file).write(to: photo)
        _ = try ExternalTool.run("avifdec", ["-d", "16", photo.path, picture.path])
        let raw = folder.appending(path: "photo.rgb").path
        _ = try ExternalTool.run("convert", [picture.path, "-depth", "16", "-endian", "LSB", "rgb:\(raw)"])
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: raw)))
        return stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
    }

    /// Root of the mean square error, in 65,535ths.
    private static func error(_ a: [UInt16], _ b: [UInt16]) -> Double {
        guard a.count == b.count else { return .infinity }
        return (zip(a, b).reduce(0) { $0 + pow(Double($1.0) - Double($1.1), 2) } / Double(a.count)).squareRoot()
    }

    @Test(
        "A reader finds the picture, of every size", .needs(.program("avifdec")), .needs(.program("convert")),
        arguments: [(320, 213), (64, 64), (65, 65), (33, 300), (1, 100), (100, 1), (1, 1)])
    func picture(width: Int, height: Int) throws {
        let size = PixelSize(width: width, height: height)
        let samples = Self.samples(size)
        // Quality 100 loses what ten bits of Y′CbCr do not hold: less than one of 1,023 steps.
        #expect(Self.error(try Self.decoded(Self.encode(samples, size, quality: 100)), samples) < 64)
        #expect(Self.error(try Self.decoded(Self.encode(samples, size)), samples) < 400)
        #expect(PhotoMetadata.size(of: PhotoBytes(try Self.encode(samples, size))) == size)
    }

    @Test(
        "The ends of the scale stay where they are", .needs(.program("avifdec")), .needs(.program("convert")),
        arguments: [[0, 0, 0], [65_535, 65_535, 65_535], [65_535, 0, 0], [0, 65_535, 0], [0, 0, 65_535]] as [[UInt16]])
    func extremes(colour: [UInt16]) throws {
        let size = PixelSize(width: 16, height: 16)
        let samples = (0..<3 * size.pixelCount).map { colour[$0 % 3] }
        #expect(Self.error(try Self.decoded(Self.encode(samples, size, quality: 100)), samples) < 130)
    }

    @Test("A higher quality is closer, and larger", .needs(.program("avifdec")), .needs(.program("convert")))
    func quality() throws {
        let size = PixelSize(width: 320, height: 213)
        let samples = Self.samples(size)
        var last = (bytes: 0, error: Double.infinity)
        for quality in [30, 60, 80, 92, 100] {
            let file = try Self.encode(samples, size, quality: quality)
            let error = Self.error(try Self.decoded(file), samples)
            #expect(file.count > last.bytes && error < last.error, "quality \(quality)")
            last = (file.count, error)
        }
    }

    @Test(
        "Metadata is whole, and the colour space is told", .needs(.program("exiftool")),
        arguments: ColourSpace.allCases)
    func metadata(space: ColourSpace) throws {
        let size = PixelSize(width: 200, height: 150)
        let file = try Self.encode(Self.samples(size), size, space: space)
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

    @Test("The order of the strips and the number of threads do not change the bytes")
    func order() throws {
        let size = PixelSize(width: 101, height: 400)
        let samples = Self.samples(size)
        let file = try Self.encode(samples, size)
        let order = Array(0..<PictureStrip.count(size))
        #expect(try Self.encode(samples, size, order: order.reversed()) == file)
        for threads in [2, 3, 5] {
            #expect(try Self.encode(samples, size, order: order.shuffled(), threads: threads) == file)
        }
    }

    @Test(
        "aom gives the same bytes with any vector instructions", .needs(.program("avifenc")),
        .needs(.program("convert")))
    func instructions() throws {
        let size = PixelSize(width: 400, height: 300)
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let samples = Self.samples(size).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        try Data(samples).write(to: folder.appending(path: "photo.rgb"))
        let picture = folder.appending(path: "photo.png").path
        _ = try ExternalTool.run(
            "convert",
            ["-size", "400x300", "-depth", "16", "-endian", "LSB", folder.appending(path: "photo.rgb").path, picture])
        // SSE2; up to SSE4.1; up to AVX; all that there are.
        let files = try ["0x7", "0x3f", "0x7f", "0xffff"].map { mask in
            let file = folder.appending(path: "\(mask).avif")
            _ = try ExternalTool.run(
                "env",
                [
                    "AOM_SIMD_CAPS_MASK=\(mask)", "avifenc", "-j", "1", "-s", "\(AVIFCoding.speed)", "-c", "aom",
                    "--min", "0", "--max", "63", "-a", "end-usage=q", "-a", "cq-level=9", "-d", "10", "-y", "444",
                    picture, file.path,
                ])
            return try Data(contentsOf: file)
        }
        #expect(Set(files).count == 1)
    }

    @Test("What cannot be written whole is an error")
    func failures() throws {
        let size = PixelSize(width: 80, height: 300)
        let samples = Self.samples(size)
        #expect(throws: EncodeError.encoderFailed("it was given only a part of the picture")) {
            _ = try Self.encode(samples, size, order: [0, 1, 2, 4])
        }
        #expect(throws: EncodeError.encoderFailed("it was given a strip twice")) {
            _ = try Self.encode(samples, size, order: [0, 1, 2, 3, 4, 2])
        }
        #expect(throws: EncodeError.fileFailed) {
            _ = try Self.encode(samples, size, to: MemoryFile(writesLeft: 0))
        }
        #expect(throws: EncodeError.qualityOutOfRange(0)) { _ = try Self.encode(samples, size, quality: 0) }
        let huge = PixelSize(width: 65_537, height: 8)
        #expect(throws: EncodeError.tooLargeForFormat(huge)) {
            _ = try AVIFEncoder(
                AVIFCoding(quality: 92, colourSpace: .sRGB), Self.metadata(huge), file: MemoryFile())
        }
    }

    @Test("The encoder is named with its version") func version() {
        #expect(AVIFLibrary.encoder.wholeMatch(of: /libavif \d+\.\d+\.\d+, aom \d+\.\d+\.\d+.*/) != nil)
    }

    @Test("A file that was cut is not whole, and its packet is found as long as it is there")
    func cut() throws {
        let size = PixelSize(width: 64, height: 64)
        let file = try Self.encode(Self.samples(size), size)
        #expect(PhotoMetadata.isWhole(PhotoBytes(file), byteCount: UInt64(file.count)))
        #expect(try PhotoMetadata.xmpPacket(in: PhotoBytes(file)) == Self.metadata(size).xmp)
        for count in 0..<file.count where count % 7 == 0 || count > file.count - 40 {
            let part = PhotoBytes(Array(file[..<count]))
            #expect(!PhotoMetadata.isWhole(part, byteCount: UInt64(count)), "\(count) bytes")
            _ = try? PhotoMetadata.xmpPacket(in: part)
            _ = PhotoMetadata.size(of: part)
        }
    }
}
