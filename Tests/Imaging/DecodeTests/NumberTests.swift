import ExternalTools
import Foundation
import Pixels
import Testing

@testable import Decode

/// `Tests/References/numbers.py` writes the files by the specification, and lists their numbers.
@Suite("DNGs of floating-point numbers and with Deflate", .needs(.program("python3"))) struct NumberTests {
    @Test("Every number format becomes samples within one step", arguments: NumberDNG.numbers)
    func numbers(file: NumberDNG) throws {
        let (bytes, rows) = try file.written()
        try withRaw(bytes) { raw in
            let image = try raw.decode(threads: 2)
            #expect(image.plane.height == rows.count)
            #expect(image.plane.width == rows[0].count)
            #expect(image.facts.white == [65_535, 65_535, 65_535])
            #expect(image.facts.baselineExposure == 0)
            let factor: Double = file.arguments.contains("--float") ? 65_535 : 65_535 / 4_294_967_295
            #expect(worst(image.plane, rows, factor) < 1)
        }
    }

    @Test("Deflated integers are the samples", arguments: NumberDNG.wholeNumbers)
    func wholeNumbers(file: NumberDNG) throws {
        let (bytes, rows) = try file.written()
        try withRaw(bytes) { raw in
            let image = try raw.decode(threads: 2)
            #expect(image.plane.width == rows[0].count)
            #expect(worst(image.plane, rows, 1) == 0)
        }
    }

    @Test("NaN becomes black, and infinity becomes white", arguments: [16, 24, 32], [1, 3])
    func special(bits: Int, predictor: Int) throws {
        let (bytes, rows) = try NumberDNG("--float --special --bits \(bits) --predictor \(predictor) --rows 11")
            .written()
        #expect(rows.joined().contains(.infinity))
        try withRaw(bytes) { raw in
            let image = try raw.decode()
            #expect(worst(image.plane, rows, 65_535) < 1)
        }
    }

    @Test("Light beyond white is kept, with unchanged brightness", arguments: [2.0, 8, 16])
    func headroom(peak: Double) throws {
        let (bytes, rows) = try NumberDNG("--float --bits 32 --predictor 3 --peak \(peak) --exposure 1").written()
        let largest = try #require(rows.joined().max())
        #expect(largest > 0.9 * peak)
        try withRaw(bytes) { raw in
            let image = try raw.decode()
            #expect(worst(image.plane, rows, 65_535 / largest) < 1.01)
            #expect(image.facts.white == [65_535, 65_535, 65_535])
            #expect(abs(Double(image.facts.baselineExposure) - 1 - log2(largest)) < 1e-4)
        }
    }

    @Test("At most four stops beyond white are kept, and black is scaled with white")
    func levels() throws {
        let (bright, rows) = try NumberDNG("--float --bits 32 --peak 100").written()
        try withRaw(bright) { raw in
            let image = try raw.decode()
            #expect(image.facts.baselineExposure == 4)
            #expect(worst(image.plane, rows, 65_535 / 16) < 1)
        }
        let (lifted, _) = try NumberDNG("--float --bits 32 --white 15000 --black 600").written()
        try withRaw(lifted) { raw in
            let facts = try raw.decode().facts
            #expect(facts.white == [65_535, 65_535, 65_535])
            #expect(abs(facts.black.values[0] - 600 * 65_535 / 15_000) < 0.01)
        }
    }

    @Test("Steps between samples become noise that keeps the mean")
    func means() throws {
        let (bytes, rows) = try NumberDNG("--float --bits 32 --white 65535 --width 512 --peak 0").written()
        try withRaw(bytes) { raw in
            let image = try raw.decode()
            for x in stride(from: 0, to: 512, by: 64) {
                var (found, expected) = (0.0, 0.0)
                for y in 0..<48 {
                    for column in x..<x + 64 {
                        found += Double(image.plane.row(y)[column])
                        expected += rows[y][column]
                    }
                }
                // For 3,072 samples with noise of at most half a step: more than four standard deviations.
                #expect(abs(found - expected) / 3072 < 0.04)
            }
        }
    }

    @Test("Any number of threads gives the same bytes")
    func threads() throws {
        let (bytes, _) = try NumberDNG("--float --bits 24 --predictor 34894 --rgb --tile 16x16").written()
        try withRaw(bytes) { raw in
            let one = try raw.decode(threads: 1)
            let many = try raw.decode(threads: 5)
            let difference = firstDifference(one.plane, many.plane)
            #expect(difference == nil)
        }
    }

    // MARK: - Damage

    @Test("A tile with too many or too few bytes, or damage, is refused", arguments: 0..<6)
    func damage(kind: Int) throws {
        let file = NumberDNG("--float --bits 16 --predictor 3 --width 64 --height 48" + (kind == 1 ? " --rows 24" : ""))
        var (bytes, _) = try file.written()
        switch kind {
        // The stream has 48 rows of 64 samples.
        case 0: try replace(&bytes, tag: 257, by: 47)
        case 1: try replace(&bytes, tag: 256, by: 65)
        case 2: bytes[bytes.count - 1] ^= 1
        case 3: bytes[bytes.count - 900] ^= 0x55
        case 4: try replace(&bytes, tag: 317, by: 5)
        // A strip of 64 × 60,000 samples needs more bytes.
        default:
            try replace(&bytes, tag: 257, by: 60_000)
            try replace(&bytes, tag: 278, by: 60_000)
        }
        let error = #expect(throws: DecodeError.self) { try withRaw(bytes) { raw in _ = try raw.decode().facts } }
        #expect(error?.reason == (kind == 4 ? .unsupportedCamera : .corrupt))
    }

    @Test("Every truncation and every damaged byte of a small file gives a picture or an error")
    func everyByte() throws {
        for form in ["--float --bits 24 --predictor 34895 --rgb --tile 16x16", "--bits 16 --predictor 34892 --rows 3"] {
            let (bytes, _) = try NumberDNG(form + " --width 24 --height 22").written()
            #expect(decodes(bytes))
            var decoded = 0
            // Outside the night, one byte of five.
            for index in stride(from: 0, to: bytes.count, by: Requirement.isNight ? 1 : 5) {
                var damaged = bytes
                damaged[index] ^= UInt8(1 << (index % 8))
                if decodes(damaged) { decoded += 1 }
                if index % 3 == 0 { _ = decodes(Array(bytes[..<index])) }
            }
            #expect((1..<bytes.count).contains(decoded))
        }
    }

    /// Changes the single number of a field of a little-endian file.
    private func replace(_ bytes: inout [UInt8], tag: Int, by value: Int) throws {
        let entries = 10..<10 + 12 * Int(bytes[8])
        let place = try #require(
            stride(from: entries.lowerBound, to: entries.upperBound, by: 12).first {
                Int(bytes[$0]) + Int(bytes[$0 + 1]) << 8 == tag
            })
        for index in 0..<(bytes[place + 2] == 3 ? 2 : 4) {
            bytes[place + 8 + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
        }
    }
}
