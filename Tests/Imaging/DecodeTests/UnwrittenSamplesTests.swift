import ExternalTools
import Foundation
import PictureFormat
import Pixels
import Testing

@testable import Decode
@testable import Samples

/// LibRaw may report success without writing samples.
@Suite("Samples that LibRaw did not write") struct UnwrittenSamplesTests {
    /// Tags of a picture that LibRaw takes for a RAW of a Leaf Aptus 75, whose decoder returns at once if there is no
    /// lossless JPEG.
    private static let emptyMOS: [UInt8] = {
        func field(_ tag: UInt16, _ type: UInt16, _ count: UInt32, _ value: UInt32) -> [UInt8] {
            [tag, type].flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
                + [count, value].flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
        }
        let fields = [
            field(254, 4, 1, 0), field(256, 4, 1, 640), field(257, 4, 1, 480), field(258, 3, 1, 14),
            field(259, 3, 1, 7), field(262, 3, 1, 32803), field(271, 2, 5, 194), field(272, 2, 14, 200),
            field(273, 4, 1, 214), field(274, 3, 1, 1), field(277, 3, 1, 1), field(278, 4, 1, 480),
            field(279, 4, 1, 0), field(33421, 3, 2, 0x0002_0002), field(33422, 1, 4, 0x0201_0100),
        ]
        var bytes = Array("II*\0".utf8) + [8, 0, 0, 0, UInt8(fields.count), 0] + fields.joined() + [0, 0, 0, 0]
        bytes += Array("Leaf\0\0".utf8) + Array("Leaf Aptus 75\0".utf8) + [UInt8](repeating: 0x30, count: 40)
        return bytes
    }()

    @Test("A file without samples is corrupt, although LibRaw reports success")
    func noSamples() throws {
        try Self.emptyMOS.withUnsafeBytes { bytes in
            let file = try LibRawFile()
            let (opening, _) = file.open(bytes, frame: 0, limits: .standard)
            #expect(opening == .success && file.text(.decoderName) == "lossless_jpeg_load_raw()")
            let (status, isAccounted) = file.unpack()
            #expect(status == .success && !isAccounted)
        }
        #expect(reason(of: Self.emptyMOS) == .corrupt)
    }

    @Test("Complete samples are counted as written, and decompressed once")
    func accounted() throws {
        let variant = DNGVariant(compression: .losslessJPEG(predictor: 1))
        let picture = variant.picture()
        let bytes = variant.file(picture)
        try bytes.withUnsafeBytes { bytes in
            let file = try LibRawFile()
            #expect(file.open(bytes, frame: 0, limits: .standard).0 == .success)
            let (status, isAccounted) = file.unpack()
            #expect(status == .success && isAccounted)
        }
    }

    @Test("Samples that equal the fill value are samples")
    func sameValue() throws {
        let plane = Plane<UInt16>(width: 64, height: 48)
        for y in 0..<48 { for x in 0..<64 { plane.row(y)[x] = x == 5 ? 0xa5c3 : UInt16(600 + x * y) } }
        var picture = DNGPicture(plane: plane, layout: .bayer([.red, .green, .green, .blue]))
        picture.compression = .none(bits: 16)
        picture.chunking = .strips(rows: 48)
        try withRaw(DNGWriter().file(picture)) { raw in
            let image = try raw.decode(DecodeOptions(unpacker: .libRaw))
            #expect(image.plane.row(7)[5] == 0xa5c3 && image.plane.row(7)[6] == 642)
        }
    }

    @Test("A diagonal sensor's picture has its own size and pixels, independent of old memory")
    func diagonal() throws {
        let size = PixelSize(width: 272, height: 182)
        let variant = DNGVariant(size: size)
        var bytes = variant.file(variant.picture())
        // CFALayout: every other column is half a pixel lower.
        let entry: [UInt8] = [0x17, 0xc6, 3, 0, 1, 0, 0, 0, 1, 0]
        let layout = try #require(bytes.indices.first { bytes[$0...].starts(with: entry) })
        bytes[layout + 8] = 2
        try withRaw(bytes) { raw in
            let image = try raw.decode()
            // Half the columns, less one, and the rest of a square 317 high: each a diagonal of half a pixel.
            #expect(image.plane.size == PixelSize(width: 190 * 3, height: 257))
            let again = try raw.decode()
            let difference = firstDifference(image.plane, again.plane)
            #expect(difference == nil)
        }
        // Fewer columns than the layout needs.
        bytes.replaceSubrange(layout + 8..<layout + 9, with: [3])
        #expect([nil, .corrupt].contains(reason(of: bytes)))
    }

    @Test("A file that would make LibRaw's parsers loop is refused at once")
    func circle() throws {
        var bytes = [0, 0, 0, 0x18] + Array("ftypcrx ".utf8) + [UInt8](repeating: 0, count: 52)
        // A box with a 64-bit length of 0.
        bytes[27] = 1
        let start = ContinuousClock.now
        #expect(reason(of: bytes) == .corrupt)
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test("Hostile files are refused, or decode to the same samples each time", .needs(.hostileFiles))
    func hostileFiles() throws {
        let folder = Checkout.shared.appending(path: "hostile")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where !name.hasSuffix(".md") {
            let bytes = [UInt8](try Data(contentsOf: folder.appending(path: name)))
            let first = digest(of: bytes)
            // Fills the memory that the next reading reuses.
            for _ in 0..<8 { _ = [UInt8](repeating: 0x77, count: 1 << 20).hashValue }
            #expect(digest(of: bytes) == first, "\(name)")
            if name.hasSuffix(".mos") || name.hasSuffix(".pef") { #expect(reason(of: bytes) == .corrupt, "\(name)") }
        }
    }

    private func reason(of bytes: [UInt8]) -> DecodeError.Reason? {
        do {
            try withRaw(bytes) { raw in _ = try raw.decode().facts }
            return nil
        } catch { return (error as? DecodeError)?.reason }
    }

    private func digest(of bytes: [UInt8]) -> [UInt8] {
        let found = try? withRaw(bytes) { raw in
            let image = try raw.decode()
            return image.plane.rawImageDigest(samplesPerPixel: image.facts.layout.samplesPerPixel)
        }
        return found ?? []
    }
}
