import Concurrency
import ExternalTools
import Foundation
import Metadata
import PictureFormat
import Pixels
import TIFF
import Testing

@testable import Encode

/// 16-bit pictures for encoders, and the results of other programs that read the files.
enum RGBPictures {
    /// Smooth colours with some structure.
    static func samples(_ size: PixelSize) -> [UInt16] {
        (0..<3 * size.pixelCount).map { i in
            let (x, y, channel) = (i / 3 % size.width, i / 3 / size.width, i % 3)
            let wave = 9_000 * sin(Double(x) * 0.13 * Double(channel + 1)) * cos(Double(y) * 0.07)
            return UInt16(clamping: 20_000 + x * 60 + y * 40 * channel + Int(wave))
        }
    }

    static func metadata(_ size: PixelSize, _ space: ColourSpace = .sRGB) throws -> EmbeddedMetadata {
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
        return EmbeddedMetadata(exif: exif, xmp: Array(xmp.utf8), profile: try ICCProfiles()[space])
    }

    /// The file made from strips in this order.
    static func file(
        _ coding: PhotoCoding, _ samples: [UInt16], _ size: PixelSize, space: ColourSpace = .sRGB, order: [Int]? = nil,
        threads: Int = 1, in file: MemoryFile = MemoryFile()
    ) throws -> [UInt8] {
        var encoder = PhotoEncoder()
        let sink = try encoder.begin(coding, metadata(size, space), threads: threads, file: file)
        write(samples, size, order: order, threads: threads, to: sink)
        let byteCount = try sink.finish(.none)
        #expect(byteCount == file.bytes.count)
        return file.bytes
    }

    /// Passes strips in this order to a sink.
    static func write(
        _ samples: [UInt16], _ size: PixelSize, order: [Int]? = nil, threads: Int = 1, to sink: any StripSink
    ) {
        let order = order ?? Array(0..<PictureStrip.count(size))
        Parallel.forEach(threads) { thread in
            for place in stride(from: thread, to: order.count, by: threads) {
                let first = 3 * size.width * PictureStrip.rows * order[place]
                // An encoder may change its input.
                var copy = Array(samples[first..<min(first + 3 * size.width * PictureStrip.rows, samples.count)])
                copy.withUnsafeMutableBufferPointer { rows in
                    guard let start = rows.baseAddress else { return }
                    sink.write(
                        .rgb(RGBStrip(index: order[place], of: size, samples: start, strideSamples: 3 * size.width)))
                }
            }
        }
    }

    /// Decodes a file to 16-bit R′G′B′.
    ///
    /// - Parameters:
    ///   - name: name of the file.
    ///   - program: receives the options, the file, and the picture to write.
    static func decoded(
        _ file: [UInt8], named name: String, by program: String, _ options: [String], to picture: String
    ) throws -> [UInt16] {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (photo, picture) = (folder.appending(path: name), folder.appending(path: picture))
        try Data(file).write(to: photo)
        _ = try ExternalTool.run(program, options + [photo.path, picture.path])
        let raw = folder.appending(path: "photo.rgb").path
        _ = try ExternalTool.run("convert", [picture.path, "-depth", "16", "-endian", "LSB", "rgb:\(raw)"])
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: raw)))
        return stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
    }

    /// Root mean square error, in 65,535ths.
    static func error(_ a: [UInt16], _ b: [UInt16]) -> Double {
        guard a.count == b.count else { return .infinity }
        return (zip(a, b).reduce(0) { $0 + pow(Double($1.0) - Double($1.1), 2) } / Double(a.count)).squareRoot()
    }
}
