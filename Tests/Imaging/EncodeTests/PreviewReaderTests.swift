import Encode
import PictureFormat
import Pixels
import Testing

@Suite("Reading a camera's preview")
struct PreviewReaderTests {
    @Test("A preview is read at the smallest sufficient size, and keeps its colours")
    func sizes() throws {
        for (width, expected) in [(160, 160), (480, 120), (1440, 180), (1445, 181), (2000, 250)] {
            let picture = try #require(PreviewReader.read(try encode(makePicture(width, width * 2 / 3))).picture)
            #expect(picture.size.width == expected)
        }
        let flat = makePicture(800, 600)
        flat.luma.samples.update(repeating: 100)
        flat.cb.samples.update(repeating: 128)
        flat.cr.samples.update(repeating: 128)
        let picture = try #require(PreviewReader.read(try encode(flat)).picture)
        #expect(picture.samples.allSatisfy { $0 == 100 })
    }

    @Test("A preview that is truncated, empty or of a huge declared size is refused")
    func refused() throws {
        let good = try encode(makePicture(320, 200))
        #expect(PreviewReader.read([]) == .damaged)
        #expect(PreviewReader.read(Array(good.prefix(good.count / 2))) == .damaged)
        var huge = good
        let frame = try #require(huge.indices.first { huge[$0] == 0xFF && huge[$0 + 1] == 0xC0 })
        huge.replaceSubrange((frame + 5)..<(frame + 9), with: [0xFF, 0x00, 0xFF, 0x00])
        #expect(PreviewReader.read(huge) == .unsuitable)
    }

    @Test("A damaged preview is read or refused, and never traps")
    func damaged() throws {
        let good = try encode(makePicture(200, 120))
        var state: UInt64 = 5
        for _ in 0..<300 {
            var bytes = good
            for _ in 0..<4 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 24)
            }
            if let picture = PreviewReader.read(bytes).picture {
                #expect(picture.samples.count == picture.size.pixelCount * 3)
            }
        }
    }

    @Test("Earlier previews have no effect: neither a failure within a header nor another preview's tables")
    func independent() throws {
        let good = try encode(makePicture(320, 200))
        let expected = PreviewReader.read(good)
        #expect(expected.picture != nil)
        let frame = try #require(good.indices.first { good[$0] == 0xFF && good[$0 + 1] == 0xC0 })
        // Every header that ends early, or has one wrong byte.
        for end in frame..<frame + 60 {
            _ = PreviewReader.read(Array(good[..<end]))
            #expect(PreviewReader.read(good) == expected)
            var wrong = good
            wrong[end] ^= 0x5a
            _ = PreviewReader.read(wrong)
            #expect(PreviewReader.read(good) == expected)
        }
        var bare = good
        while let table = bare.indices.dropLast().first(where: { bare[$0] == 0xFF && bare[$0 + 1] == 0xC4 }) {
            bare.removeSubrange(table..<table + 2 + Int(bare[table + 2]) << 8 + Int(bare[table + 3]))
        }
        var other = good
        // Another table: the symbols after the code lengths, reversed.
        let table = try #require(other.indices.first { other[$0] == 0xFF && other[$0 + 1] == 0xC4 })
        other[table + 21..<table + 33].reverse()
        let alone = PreviewReader.read(bare)
        _ = PreviewReader.read(other)
        #expect(PreviewReader.read(bare) == alone)
    }
}

extension PreviewReading {
    fileprivate var picture: SmallPicture? { if case .picture(let picture) = self { picture } else { nil } }
}
