import PictureFormat
import Pixels
import Testing

@testable import Decode
@testable import Samples

@Suite struct SensorTests {
    @Test(
        "Linear, monochrome and X-Trans DNGs give the written samples",
        arguments: [SensorLayout.linearRGB, .monochrome, .xTrans(XTransPattern.colours)],
        [DNGCompression.losslessJPEG(predictor: 1), .none(bits: 16)])
    func otherSensors(layout: SensorLayout, compression: DNGCompression) throws {
        let variant = DNGVariant(layout: layout, size: PixelSize(width: 60, height: 42), compression: compression)
        let picture = variant.picture()
        try withRaw(variant.file(picture)) { raw in
            let image = try raw.decode(xTrans: .mosaic)
            let difference = firstDifference(image.plane, picture.plane)
            #expect(difference == nil)
            #expect(image.facts.layout == layout)
            #expect(image.facts.black.values.allSatisfy { $0 == 512 })
            #expect(image.facts.crop.size == variant.size)
        }
    }

    @Test("An X-Trans sensor gives three linear colours if LibRaw interpolates it")
    func interpolated() throws {
        // LibRaw interpolates in tiles of 512.
        let size = PixelSize(width: 624, height: 546)
        let variant = DNGVariant(
            layout: .xTrans(XTransPattern.colours), size: size, compression: .none(bits: 16),
            chunking: .strips(rows: 1000))
        let picture = variant.picture()
        try withRaw(variant.file(picture)) { raw in
            let image = try raw.decode()
            #expect(image.facts.layout == .linearRGB)
            #expect(image.plane.size == PixelSize(width: size.width * 3, height: size.height))
            #expect(image.facts.whiteBalance != nil)
            #expect(image.facts.white.max() == 65535)
            // The board's lightest patch is neutral after balancing.
            let gains = try #require(image.facts.whiteBalance)
            let row = image.plane.row(2)
            let light = (0..<3).map { Float(row[3 * 4 + $0]) / image.facts.white[$0] * gains[$0] }
            #expect(light.allSatisfy { $0 > 0.02 && $0 < 2 })
        }
    }

    @Test("Two pictures in one file are two frames with separate samples")
    func frames() throws {
        let first = DNGVariant(size: PixelSize(width: 96, height: 80)).picture()
        let second = DNGVariant(layout: .bayer(DNGVariants.phases[1]), size: PixelSize(width: 80, height: 64)).picture()
        try withRaw(DNGWriter().file(first, second)) { raw in
            #expect(raw.frameCount == 2)
            let one = try raw.decode(frame: 0)
            let two = try raw.decode(frame: 1)
            let differences = [firstDifference(one.plane, first.plane), firstDifference(two.plane, second.plane)]
            #expect(differences == [nil, nil])
            #expect(two.facts.layout == .bayer(DNGVariants.phases[1]))
            let missing = #expect(throws: DecodeError.self) { _ = try raw.decode(frame: 2).facts }
            #expect(missing?.reason == .corrupt)
        }
    }

    @Test("A stored sample maps to its entry in the linearization table")
    func linearization() throws {
        let plane = Plane<UInt16>(width: 64, height: 48)
        for y in 0..<48 { for x in 0..<64 { plane.row(y)[x] = UInt16(x + y) } }
        var picture = DNGPicture(plane: plane, layout: .bayer(DNGVariants.phases[0]))
        picture.compression = .none(bits: 16)
        picture.chunking = .strips(rows: 48)
        picture.linearization = (0..<128).map { UInt16($0 * $0) }
        try withRaw(DNGWriter().file(picture)) { raw in
            let image = try raw.decode()
            #expect(image.plane.row(3)[5] == 64)
            #expect(image.plane.row(47)[63] == 110 * 110)
            let judge = try raw.decode(DecodeOptions(unpacker: .libRaw))
            let difference = firstDifference(image.plane, judge.plane)
            #expect(difference == nil)
        }
    }

    @Test("Limits are checked from the header")
    func limits() throws {
        let variant = DNGVariant()
        let picture = variant.picture()
        let bytes = variant.file(picture)
        for limits in [DecodeLimits(pixels: 3000), DecodeLimits(fileBytes: 500), DecodeLimits(memoryBytes: 4000)] {
            let error = #expect(throws: DecodeError.self) {
                try withRaw(bytes, limits: limits) { raw in _ = try raw.decode().facts }
            }
            #expect(error?.reason == .tooLarge)
        }
    }
}
