import Testing

@testable import Metadata
import TIFF

struct JPEGSegmentReaderTests {
    private static let exif = segment(0xE1, Array("Exif\0\0".utf8) + [1, 2])
    private static let frame = segment(0xC0, [8, 0x01, 0x02, 0x03, 0x04, 1, 1, 0x11, 0])
    private static let scan = segment(0xDA, [1, 1, 0, 0, 63, 0])

    private static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 0xFF)] + payload
    }

    /// The markers found, and whether a segment was cut off; nil if the bytes are not a JPEG.
    private func read(_ bytes: [UInt8]) -> (markers: [JPEGMarker], isCutOff: Bool)? {
        bytes.withUnsafeBytes { bytes in
            guard var reader = JPEGSegmentReader(bytes) else { return nil }
            var markers: [JPEGMarker] = []
            while let segment = reader.next() { markers.append(segment.marker) }
            return (markers, reader.isCutOff)
        }
    }

    @Test("All segments up to and including the scan header are read, and nothing after it")
    func readsAll() throws {
        let bytes = [0xFF, 0xD8] + Self.exif + Self.frame + Self.scan + Self.exif
        let (markers, isCutOff) = try #require(read(bytes))
        #expect(markers == [.app1, .startOfBaselineFrame, .startOfScan])
        #expect(!isCutOff)
    }

    @Test("Fill bytes before a marker are skipped")
    func skipsFillBytes() throws {
        let bytes = [0xFF, 0xD8, 0xFF, 0xFF] + Self.exif + [0xFF] + Self.scan
        #expect(try #require(read(bytes)).markers == [.app1, .startOfScan])
    }

    @Test("Truncated bytes give the complete segments before the cut, and report the cut")
    func noticesCuts() throws {
        let bytes = [0xFF, 0xD8] + Self.exif + Self.frame
        for length in 3..<bytes.count {
            let (markers, isCutOff) = try #require(read(Array(bytes.prefix(length))))
            #expect(markers == (length < 2 + Self.exif.count ? [] : [.app1]), "\(length) bytes")
            #expect(isCutOff, "\(length) bytes")
        }
    }

    @Test(
        "Bytes that do not begin as a JPEG are refused",
        arguments: [[], [0xFF], [0xFF, 0xD8], [0xFF, 0xD8, 0], [0x49, 0x49, 42]])
    func refuses(bytes: [UInt8]) {
        #expect(read(bytes) == nil)
    }

    @Test(
        "A marker without a segment and an impossible length end the reading", arguments: [0xD0, 0xD8, 0xD9, 0x01])
    func stops(marker: UInt8) throws {
        let stopped = try #require(read([0xFF, 0xD8, 0xFF, marker, 0, 4, 0, 0] + Self.exif))
        #expect(stopped.markers.isEmpty && !stopped.isCutOff)
        let short = try #require(read([0xFF, 0xD8, 0xFF, 0xE1, 0, 1] + Self.exif))
        #expect(short.markers.isEmpty && !short.isCutOff)
    }

    @Test("Size, EXIF block and XMP packet are found in a JPEG's first bytes")
    func findsContents() throws {
        let packet = Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8)
        let bytes = [0xFF, 0xD8] + Self.exif + Self.segment(0xE1, packet) + Self.frame + Self.scan
        #expect(JPEGMetadata.exifBlock(in: bytes) == [1, 2])
        #expect(try JPEGMetadata.xmpPacket(in: bytes) == Array("<x/>".utf8))
        #expect(JPEGMetadata.frameHeader(in: bytes) == JPEGFrameHeader(precision: 8, width: 0x304, height: 0x102))
        #expect(JPEGMetadata.frameHeader(in: Array(bytes.dropLast(Self.frame.count + Self.scan.count))) == nil)
    }

    @Test("The three other markers in the SOF range are no frames")
    func tellsFrames() {
        let frames = (UInt8.min...UInt8.max).filter { JPEGMarker(rawValue: $0).isStartOfFrame }
        #expect(frames == [0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF])
    }
}

struct ByteReaderTests {
    @Test("Numbers are read in either byte order, and nothing beyond the ends")
    func reads() {
        ([1, 2, 3, 4, 5, 6, 7, 8, 9] as [UInt8]).withUnsafeBytes { bytes in
            let little = ByteReader(bytes, .littleEndian)
            let big = ByteReader(bytes, .bigEndian)
            #expect(little.uint8(8) == 9 && little.uint8(9) == nil && little.uint8(-1) == nil)
            #expect(little.uint16(7) == 0x0908 && big.uint16(7) == 0x0809 && big.uint16(8) == nil)
            #expect(little.uint32(1) == 0x0504_0302 && big.offset32(1) == 0x0203_0405 && big.uint32(6) == nil)
            #expect(little.uint64(1) == 0x0908_0706_0504_0302 && big.uint64(2) == nil)
            #expect(little.array(offset: 7, length: 2) == [8, 9] && little.array(offset: 8, length: 2) == nil)
            #expect(little.array(offset: .max, length: .max) == nil && little.array(offset: 3, length: -1) == nil)
            #expect(little.slice(4..<9)?.count == 5 && little.slice(4..<10) == nil && little.slice(-1..<2) == nil)
        }
    }

    @Test("Text is compared at its offset")
    func comparesText() {
        Array("II*\0HEAP".utf8).withUnsafeBytes { bytes in
            let reader = ByteReader(bytes, .littleEndian)
            #expect(reader.starts(with: "II") && reader.starts(with: "HEAP", at: 4))
            #expect(!reader.starts(with: "HEAPS", at: 4) && !reader.starts(with: "II", at: -1))
        }
    }
}
