import TIFF
import PictureFormat
import Pixels
import Testing

@testable import Decode
@testable import Samples

@Suite struct DNGVariantTests {
    @Test(
        "Every phase, orientation, size and storage form gives the written samples",
        arguments: DNGVariants.all)
    func decodesExactly(variant: DNGVariant) throws {
        let picture = variant.picture()
        try withRaw(variant.file(picture)) { raw in
            let image = try raw.decode()
            let difference = firstDifference(image.plane, picture.plane)
            #expect(difference == nil)
            #expect(image.facts.layout == variant.layout)
            #expect(image.facts.orientation == variant.orientation)
            #expect(image.facts.crop == PixelRect(x: 0, y: 0, size: variant.size))
            #expect(image.facts.black.values == [512])
            #expect(image.facts.white == [16383, 16383, 16383])
        }
    }

    @Test(
        "Rawmill's unpacker and LibRaw's agree to the bit if LibRaw reads the form",
        arguments: DNGVariants.all.filter(\.isReadByLibRaw))
    func agreesWithLibRaw(variant: DNGVariant) throws {
        let picture = variant.picture()
        try withRaw(variant.file(picture)) { raw in
            let own = try raw.decode()
            let judge = try raw.decode(DecodeOptions(unpacker: .libRaw))
            let difference = firstDifference(own.plane, judge.plane)
            #expect(difference == nil)
        }
    }

    @Test(
        "A DNG whose samples have another coding than stated is damaged",
        arguments: [TIFFCompression.deflate, TIFFCompression.lossyJPEG, TIFFCompression.jpegXL])
    func otherCoding(number: Int) throws {
        let variant = DNGVariant(black: [0, 0, 0, 0])
        var picture = variant.picture()
        picture.white = 255
        var bytes = variant.file(picture)
        let field: [UInt8] = [3, 1, 3, 0, 1, 0, 0, 0]
        let places = bytes.indices.filter { bytes[$0...].starts(with: field) }
        #expect(!places.isEmpty)
        for place in places {
            bytes.replaceSubrange(place + 8..<place + 10, with: [UInt8(number & 0xff), UInt8(number >> 8)])
        }
        let error = #expect(throws: DecodeError.self) { try withRaw(bytes) { raw in _ = try raw.decode() } }
        #expect(error?.reason == .corrupt)
    }

    @Test("Margins, crops and blacks keep their places for any starting corner", arguments: 0..<16)
    func marginsAndBlacks(corner: Int) throws {
        let left = corner % 4
        let top = corner / 4
        let area = PixelRect(x: left, y: top, size: PixelSize(width: 64 - left - 3, height: 48 - top - 5))
        let crop = PixelRect(x: 2, y: 3, size: PixelSize(width: area.size.width - 4, height: area.size.height - 7))
        let variant = DNGVariant(
            layout: .bayer(DNGVariants.phases[2]), activeArea: area, defaultCrop: crop, black: [500, 510, 520, 530])
        let picture = variant.picture()
        try withRaw(variant.file(picture)) { raw in
            let image = try raw.decode()
            let difference = firstDifference(image.plane, picture.plane)
            #expect(difference == nil)
            #expect(image.facts.layout == .bayer(DNGVariants.phases[2]))
            #expect(image.facts.black.values == [500, 510, 520, 530])
            #expect(image.facts.crop == PixelRect(x: left + 2, y: top + 3, size: crop.size))
        }
    }
}

extension DNGVariant {
    /// Forms that LibRaw 0.20.2 reads correctly: one strip, or several contiguous uncompressed ones; several compressed
    /// tiles, no wider than the picture and not half as wide (LibRaw then assumes two components).
    var isReadByLibRaw: Bool {
        switch (chunking, compression) {
        case (.strips(let rows), .losslessJPEG): rows >= size.height
        case (.strips(let rows), .none(let bits)):
            bits == 16 || size.width * bits * rows % 16 == 0 && size.width * bits % 8 == 0
        case (.tiles(let tile), .losslessJPEG):
            tile.width * 2 != size.width
                && (tile.width < size.width || tile.width == size.width && tile.height < size.height)
        case (.tiles, .none): false
        }
    }
}
