import Encode
import PictureFormat
import Pixels
import Testing

@Suite("Reading a camera's preview")
struct PreviewReaderTests {
    @Test("A preview is read at the smallest size that suffices, and keeps its colours")
    func sizes() throws {
        let reader = PreviewReader()
        for (width, expected) in [(160, 160), (480, 120), (1440, 180), (1445, 181), (2000, 250)] {
            let picture = try #require(reader.read(try encode(makePicture(width, width * 2 / 3))))
            #expect(picture.size.width == expected)
        }
        let flat = makePicture(800, 600)
        flat.luma.samples.update(repeating: 100)
        flat.cb.samples.update(repeating: 128)
        flat.cr.samples.update(repeating: 128)
        let picture = try #require(reader.read(try encode(flat)))
        #expect(picture.samples.allSatisfy { $0 == 100 })
    }

    @Test("A preview that is truncated, empty or of a huge declared size is refused")
    func refused() throws {
        let reader = PreviewReader()
        let good = try encode(makePicture(320, 200))
        #expect(reader.read([]) == nil)
        #expect(reader.read(Array(good.prefix(good.count / 2))) == nil)
        var huge = good
        let frame = try #require(huge.indices.first { huge[$0] == 0xFF && huge[$0 + 1] == 0xC0 })
        huge.replaceSubrange((frame + 5)..<(frame + 9), with: [0xFF, 0x00, 0xFF, 0x00])
        #expect(reader.read(huge) == nil)
    }

    @Test("A damaged preview is read or refused, and never traps")
    func damaged() throws {
        let reader = PreviewReader()
        let good = try encode(makePicture(200, 120))
        var state: UInt64 = 5
        for _ in 0..<300 {
            var bytes = good
            for _ in 0..<4 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 24)
            }
            if let picture = reader.read(bytes) { #expect(picture.samples.count == picture.size.pixelCount * 3) }
        }
    }
}
