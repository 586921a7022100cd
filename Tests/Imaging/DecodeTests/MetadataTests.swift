import ExternalTools
import Metadata
import TIFF
import PictureFormat
import Pixels
import Testing

@testable import Decode
@testable import Samples

@Suite struct DecodedMetadataTests {
    private func writer(littleEndian: Bool) -> DNGWriter {
        var writer = DNGWriter()
        writer.littleEndian = littleEndian
        writer.orientation = .rotated90Clockwise
        writer.shot.artist = "A. Miller"
        writer.shot.location = .init(latitude: -33.5, longitude: 151.25, altitude: 12.5)
        writer.shot.xmp = Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/>".utf8)
        return writer
    }

    @Test("Every field becomes a little-endian tag, for either byte order", arguments: [true, false])
    func tags(littleEndian: Bool) throws {
        let writer = writer(littleEndian: littleEndian)
        let picture = DNGVariant().picture()
        try withRaw(writer.file(picture)) { raw in
            let metadata = try raw.metadata()
            func value(_ directory: ExifDirectory, _ tag: TIFFTag) -> [UInt8]? {
                metadata.exif.first { $0.directory == directory && $0.tag == tag }?.value
            }
            #expect(metadata.make == "Rawmill" && metadata.model == "Sample")
            #expect(metadata.captured == "2024:05:01 10:00:00")
            #expect(metadata.xmp == writer.shot.xmp)
            #expect(value(.image, .artist) == Array("A. Miller\0".utf8))
            #expect(value(.image, .orientation) == [6, 0])
            #expect(value(.photo, .exposureTime) == [1, 0, 0, 0, 125, 0, 0, 0])
            #expect(value(.photo, .photographicSensitivity) == [100, 0])
            #expect(value(.photo, .offsetTimeOriginal) == Array("+02:00\0".utf8))
            #expect(value(.photo, .lensModel) == Array("Rawmill 35mm F2\0".utf8))
            #expect(value(.gps, .gpsLatitudeRef) == Array("S\0".utf8))
            #expect(
                value(.gps, .gpsLatitude) == [
                    33, 0, 0, 0, 1, 0, 0, 0, 30, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0xe8, 3, 0, 0,
                ])
            #expect(metadata.exif.allSatisfy { $0.value.count % $0.type.byteCount == 0 })
        }
    }

    @Test("Colour facts come from the file: two matrices with their lights, neutral, baseline exposure")
    func colour() throws {
        var writer = writer(littleEndian: true)
        writer.baselineExposure = 0.35
        let picture = DNGVariant().picture()
        try withRaw(writer.file(picture)) { raw in
            let facts = try raw.decode().facts
            #expect(facts.matrices.map(\.illuminant) == [17, 21])
            let expected = SampleCamera().matrixD65.elements
            let largest = zip(facts.matrices[1].xyzToCamera.elements, expected).map { abs($0 - $1) }.max() ?? 1
            #expect(largest < 0.0002)
            let neutral = SampleCamera().neutral
            let gains = try #require(facts.whiteBalance)
            #expect(abs(gains[0] * neutral[0] - 1) < 0.001 && abs(gains[2] * neutral[2] - 1) < 0.001)
            #expect(abs(facts.baselineExposure - 0.35) < 0.001)
            #expect(facts.isoSpeed == 100)
        }
    }

    @Test("An embedded preview is returned byte for byte", .needs(.realFiles))
    func preview() throws {
        let bytes = try RealFiles.contents(of: "canon-eos-d30.crw")
        let jpeg = try withRaw(bytes) { raw in try raw.embeddedPreview() }
        let preview = try #require(jpeg)
        #expect(preview.format == .jpeg)
        var writer = DNGWriter()
        writer.preview = .init(jpeg: preview.bytes, size: preview.size)
        let picture = DNGVariant().picture()
        try withRaw(writer.file(picture)) { raw in
            let again = try raw.embeddedPreview()
            #expect(again?.bytes == preview.bytes)
            let image = try raw.decode()
            let difference = firstDifference(image.plane, picture.plane)
            #expect(difference == nil)
        }
    }
}
