import CameraFiles
import PictureFormat
import Pixels
import Testing

@testable import Decode
@testable import Samples

@Suite struct CR2Tests {
    /// Slices as in cameras, a single one, many, JPEG rows that end within a slice, and two sensor rows per JPEG row,
    /// as in the EOS 5DS.
    static let files: [CR2File] = [
        CR2File(), CR2File(slices: [1, 48, 48]), CR2File(slices: [2, 30, 36]), CR2File(slices: [0, 0, 0]),
        CR2File(components: 4, slices: [3, 20, 36]), CR2File(components: 4), CR2File(slices: [2, 31, 34], bits: 12),
        CR2File(slices: [8, 10, 16], predictor: 6),
        CR2File(size: PixelSize(width: 128, height: 48), components: 4, slices: [1, 100, 28], rowsTogether: 2),
    ]

    @Test("Rawmill's unpacker gives the written samples, and so does LibRaw", arguments: files)
    func agreesWithLibRaw(file: CR2File) throws {
        let plane = file.plane()
        try withRaw(file.bytes(plane)) { raw in
            let own = try raw.decode()
            let judge = try raw.decode(DecodeOptions(unpacker: .libRaw))
            let differences = [firstDifference(own.plane, plane), firstDifference(judge.plane, plane)]
            #expect(differences == [nil, nil])
            #expect(String(describing: own.facts) == String(describing: judge.facts))
            #expect(own.facts.layout == .bayer([.red, .green, .green, .blue]))
            #expect(own.facts.matrices.count == 1)
        }
    }

    @Test("Black is measured on the sensor's masked border, as in LibRaw")
    func border() throws {
        // A size whose margins LibRaw knows: 48 columns on the left.
        let file = CR2File(size: PixelSize(width: 2224, height: 1456), slices: [1, 1112, 1112])
        let plane = file.plane()
        for y in 0..<1456 { for x in 0..<48 { plane.row(y)[x] = UInt16(1020 + y % 2 * 6 + x % 2 * 3) } }
        try withRaw(file.bytes(plane)) { raw in
            let own = try raw.decode()
            let judge = try raw.decode(DecodeOptions(unpacker: .libRaw))
            let difference = firstDifference(own.plane, judge.plane)
            #expect(difference == nil)
            #expect(own.facts.black.values == [1020, 1023, 1026, 1029])
            #expect(own.facts.black == judge.facts.black)
            #expect(own.facts.crop == judge.facts.crop)
            #expect(own.facts.crop.x == 48)
        }
    }

    @Test("A picture of reduced size with subsampled colours is left to LibRaw")
    func reduced() throws {
        // All differences are 0, so the number of components is arbitrary.
        let encoder = LosslessJPEGEncoder(
            shape: .init(width: 60, height: 80, components: 4), precision: 15, predictor: 1)
        let samples = [UInt16](repeating: 1 << 14, count: 60 * 80 * 4)
        var frequencies = [Int](repeating: 0, count: HuffmanCode.symbols)
        encoder.count(samples, into: &frequencies)
        var jpeg = encoder.encode(samples, tables: [HuffmanCode(frequencies: frequencies)])
        jpeg.replaceSubrange(
            2..<24, with: [0xff, 0xc3, 0, 17, 15, 0, 80, 0, 120, 3, 0, 0x21, 0, 1, 0x11, 0, 2, 0x11, 0])
        try withRaw(CR2File().file(jpeg: jpeg)) { raw in
            let image = try raw.decode()
            #expect(image.facts.layout == .linearRGB)
        }
    }

    @Test(
        "Slices that do not add up to the sensor are damage",
        arguments: [[2, 30, 30], [1, 0, 96], [2, 48, 0]])
    func contradiction(slices: [Int]) throws {
        var file = CR2File()
        let plane = file.plane()
        let bytes = file.bytes(plane)
        file.slices = slices
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xff, 0xd8]) })
        let error = #expect(throws: DecodeError.self) {
            try withRaw(file.file(jpeg: Array(bytes[start...]))) { raw in _ = try raw.decode().facts }
        }
        #expect(error?.reason == .corrupt)
    }

    @Test("A file cut off anywhere in its samples is damaged", arguments: [1, 100, 2000])
    func cut(missing: Int) throws {
        let file = CR2File(slices: [1, 48, 48])
        let plane = file.plane()
        let error = #expect(throws: DecodeError.self) {
            try withRaw(Array(file.bytes(plane).dropLast(missing))) { raw in _ = try raw.decode().facts }
        }
        #expect(error?.reason == .corrupt)
    }
}
