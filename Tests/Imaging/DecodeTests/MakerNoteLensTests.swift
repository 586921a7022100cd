import ExternalTools
import Foundation
import Metadata
import PictureFormat
import Pixels
import TIFF
import Testing

@testable import Decode
@testable import Samples

/// Generated files, with the maker notes of cameras that do not record their lens in EXIF.
@Suite("Lenses in maker notes") struct MakerNoteLensTests {
    private static func file(make: String, model: String, makerNote: [UInt8]) -> [UInt8] {
        var samples: [UInt8] = []
        for index in 0..<64 * 48 { samples += [UInt8(truncatingIfNeeded: 100 + index), 3] }
        let exif = ImageFileDirectory([.focalLength: .rationals([Rational(50, 1)]), .makerNote: .undefined(makerNote)])
        let main = ImageFileDirectory([
            .newSubfileType: .longs([0]), .imageWidth: .longs([64]), .imageLength: .longs([48]),
            .bitsPerSample: .shorts([16]), .compression: .shorts([1]), .photometricInterpretation: .shorts([32803]),
            .samplesPerPixel: .shorts([1]), .planarConfiguration: .shorts([1]), .rowsPerStrip: .longs([48]),
            .stripOffsets: .chunkOffsets(first: 0, count: 1), .stripByteCounts: .longs([UInt32(samples.count)]),
            .cfaRepeatPatternDim: .shorts([2, 2]), .cfaPattern: .bytes([0, 1, 1, 2]), .make: .ascii(make),
            .model: .ascii(model), .dngVersion: .bytes([1, 4, 0, 0]), .uniqueCameraModel: .ascii(model),
            .exifIFD: .directories([exif]),
        ])
        return TIFFBuilder(littleEndian: true, chunks: [samples]).file(main)
    }

    private static func little<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    private static func entry(_ tag: UInt16, _ type: UInt16, _ count: Int, _ value: Int) -> [UInt8] {
        little(tag) + little(type) + little(UInt32(count)) + little(UInt32(value))
    }

    /// Nikon's: an embedded TIFF, with four fractions in its Lens field.
    static func nikon(_ tenths: [UInt32]) -> [UInt8] {
        let header =
            Array("Nikon\0".utf8) + [2, 0x10, 0, 0] + Array("II".utf8) + little(UInt16(42)) + little(UInt32(8))
        let directory = little(UInt16(1)) + entry(0x84, 5, 4, 26) + little(UInt32(0))
        let note = header + directory + tenths.flatMap { little($0) + little(UInt32(10)) }
        return file(make: "NIKON CORPORATION", model: "NIKON D70", makerNote: note)
    }

    /// Canon's: a directory with offsets relative to the file.
    private static func canon(_ name: String) throws -> [UInt8] {
        let text = Array(name.utf8) + [0]
        let note = little(UInt16(1)) + entry(0x95, 2, text.count, 0) + little(UInt32(0)) + text
        var bytes = file(make: "Canon", model: "Canon EOS 40D", makerNote: note)
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: text) })
        bytes.replaceSubrange(start - 8..<start - 4, with: little(UInt32(start)))
        return bytes
    }

    private func fields(_ bytes: [UInt8]) throws -> [ExifField] { try withRaw(bytes) { try $0.metadata().exif } }

    @Test(
        "A Nikon's maker notes state focal lengths and apertures of its lens", .needs(.program("exiftool"))
    )
    func focalLengths() throws {
        let bytes = Self.nikon([180, 700, 35, 45])
        let field = try #require(try fields(bytes).first { $0.tag == .lensSpecification })
        #expect(field.quotients == [18, 70, 3.5, 4.5])
        let file = FileManager.default.temporaryDirectory.appending(path: "rawmill-lens-\(UUID()).dng")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(bytes).write(to: file)
        #expect(try ExternalTool.run("exiftool", ["-s3", "-Nikon:Lens", file.path]).contains("18-70mm f/3.5-4.5"))
    }

    @Test("Missing or invalid numbers give no lens")
    func noFocalLengths() throws {
        for numbers: [UInt32] in [[0, 700, 35, 45], [180, 700, 0, 0], [.max, .max, .max, .max]] {
            #expect(try !fields(Self.nikon(numbers)).contains { $0.tag == .lensSpecification })
        }
    }

    @Test("A Canon's maker notes name its lens")
    func name() throws {
        let field = try #require(try fields(try Self.canon("EF50mm f/1.8 STM")).first { $0.tag == .lensModel })
        #expect(field.text == "EF 50mm f/1.8 STM")
    }
}
