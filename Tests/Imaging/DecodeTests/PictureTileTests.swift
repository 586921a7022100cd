import ExternalTools
import Metadata
import Pixels
import Testing

@testable import Decode

/// `Tests/References/numbers.py` has other programs compress the tiles, and lists their contents; for lossy tiles, as
/// read by other programs.
@Suite("DNGs of JPEG XL and lossy JPEG") struct PictureTileTests {
    @Test(
        "Lossless JPEG XL gives the compressed samples, in the picture's order",
        .needs(.program("python3")), .needs(.program("cjxl")), arguments: NumberDNG.jpegXL)
    func jpegXL(file: NumberDNG) throws {
        let (bytes, rows) = try file.written()
        let isFloat = file.arguments.contains("--float")
        try withRaw(bytes) { raw in
            let image = try raw.decode(threads: 2)
            #expect(image.plane.height == rows.count)
            #expect(image.plane.width == rows[0].count)
            #expect(isFloat ? worst(image.plane, rows, 65_535) < 1 : worst(image.plane, rows, 1) == 0)
            #expect(image.facts.matrices.count == 1)
        }
    }

    /// djxl may use other instructions, which round differently.
    @Test(
        "Lossy JPEG XL gives djxl's samples except for rounding", .needs(.program("python3")),
        .needs(.program("cjxl")), .needs(.program("djxl")), arguments: NumberDNG.lossyJPEGXL)
    func lossyJPEGXL(file: NumberDNG) throws {
        let (bytes, rows) = try file.written()
        try withRaw(bytes) { raw in
            let image = try raw.decode()
            #expect(image.plane.width == rows[0].count)
            #expect(worst(image.plane, rows, 1) <= 2)
        }
    }

    @Test(
        "Lossy JPEG gives djpeg's samples, mapped by the file's table", .needs(.program("python3")),
        .needs(.program("cjpeg")), .needs(.program("djpeg")), arguments: NumberDNG.jpeg)
    func jpeg(file: NumberDNG) throws {
        let (bytes, rows) = try file.written()
        try withRaw(bytes) { raw in
            let image = try raw.decode(threads: 2)
            #expect(image.plane.width == rows[0].count)
            #expect(worst(image.plane, rows, 1) == 0)
            let white: Float = file.arguments.contains("--table") ? 65_535 : 255
            #expect(image.facts.white == [white, white, white])
        }
    }

    @Test(
        "Lossy JPEG of three colours gives LibRaw's samples and levels", .needs(.program("python3")),
        .needs(.program("cjpeg")),
        arguments: ["--tile 32x32", "--tile 48x32 --width 97 --height 75 --order MM", "--tile 64x16 --width 200"])
    func curves(division: String) throws {
        let file = NumberDNG("--compression 34892 --bits 8 --rgb --curves --peak 0.9 \(division)")
        let (bytes, _) = try file.written()
        try withRaw(bytes) { raw in
            let own = try raw.decode()
            let judge = try raw.decode(DecodeOptions(unpacker: .libRaw))
            let difference = firstDifference(own.plane, judge.plane)
            #expect(difference == nil)
            #expect(own.facts.white == judge.facts.white)
            #expect(own.facts.black == judge.facts.black)
            #expect(own.facts.crop == judge.facts.crop)
            #expect(own.facts.whiteBalance == judge.facts.whiteBalance)
            #expect(own.facts.baselineExposure == judge.facts.baselineExposure)
        }
    }

    @Test(
        "Every damaged byte and many truncations of a file give a picture or an error", .needs(.program("python3")),
        .needs(.program("cjxl")), .needs(.program("cjpeg")), .needs(.program("djpeg")),
        arguments: [
            "--compression 52546 --bits 16 --tile 16x16", "--compression 52546 --bits 32 --float --rgb",
            "--compression 52546 --bits 16 --distance 1 --rgb --interleave 2x2",
            "--compression 34892 --bits 8 --table", "--compression 34892 --bits 8 --rgb --curves",
        ])
    func damage(form: String) throws {
        let (bytes, _) = try NumberDNG(form + " --width 24 --height 22").written()
        #expect(decodes(bytes))
        var decoded = 0
        // Outside the night, one byte of seven.
        for index in stride(from: 0, to: bytes.count, by: Requirement.isNight ? 1 : 7) {
            var damaged = bytes
            damaged[index] ^= UInt8(1 << (index % 8))
            if decodes(damaged) { decoded += 1 }
            if index % 7 == 0 { _ = decodes(Array(bytes[..<index])) }
        }
        #expect((1..<bytes.count).contains(decoded))
    }

    @Test(
        "A tile with another size or other channels than stated is refused", .needs(.program("python3")),
        .needs(.program("cjxl")), .needs(.program("cjpeg")), .needs(.program("djpeg")),
        arguments: ["--compression 52546 --bits 16", "--compression 34892 --bits 8"])
    func otherSize(form: String) throws {
        let (good, _) = try NumberDNG(form + " --width 40 --height 30").written()
        let fields: [(tag: UInt8, type: UInt8, from: UInt8, to: UInt8)] = [(0, 4, 40, 39), (1, 4, 30, 31)]
        for field in fields {
            var bytes = good
            let entry: [UInt8] = [field.tag, 1, field.type, 0, 1, 0, 0, 0, field.from]
            let place = try #require(bytes.indices.first { bytes[$0...].starts(with: entry) })
            bytes[place + 8] = field.to
            let error = #expect(throws: DecodeError.self) { try withRaw(bytes) { raw in _ = try raw.decode().facts } }
            #expect(error?.reason == .corrupt)
        }
    }
}
