import DecodeKernels
import ExternalTools
import Metadata
import PictureFormat
import Pixels
import Testing

@testable import Decode

/// Numbers become samples chunk by chunk if none exceeds white, and otherwise via a plane of numbers.
@Suite(.needs(.program("python3"))) struct ScaledNumberTests {
    @Test(
        "Both ways make the same samples",
        arguments: [
            "--float --bits 16 --predictor 34894 --rgb --tile 16x16", "--float --bits 24 --special --predictor 3",
            "--float --bits 32 --predictor 34895 --tile 48x32 --width 65 --height 49",
            "--float --bits 32 --compression 1 --rows 5 --order MM", "--bits 32 --predictor 34892 --rows 7",
            // More numbers than are scaled at once.
            "--float --bits 32 --white 65535 --width 1030 --height 9 --rgb",
        ])
    func same(form: String) throws {
        try withNumbers(form) { numbers, memory, levels in
            let plane = try numbers.unpack(memory, threads: 1)
            let usual = try #require(levels(NumberScale.largest(in: plane, threads: 2)))
            let expected = usual.scale.samples(of: plane, threads: 1)
            let levels = try #require(levels(0))
            #expect(levels.exposure == usual.exposure)
            guard let found = try numbers.samples(memory, by: levels.scale, upTo: levels.limit, threads: 3) else {
                Issue.record("a number is beyond white")
                return
            }
            #expect(firstDifference(found, expected) == nil)
        }
    }

    @Test("A single number beyond white is found anywhere", arguments: [1, 2])
    func beyond(threads: Int) throws {
        try withNumbers("--float --bits 32 --predictor 3 --peak 8 --tile 16x16") { numbers, memory, levels in
            let plane = try numbers.unpack(memory, threads: threads)
            let largest = NumberScale.largest(in: plane, threads: threads)
            let levels = try #require(levels(0))
            #expect(levels.limit == 1 && largest > 7)
            let upToWhite = try numbers.samples(memory, by: levels.scale, upTo: levels.limit, threads: threads)
            let upToAll = try numbers.samples(memory, by: levels.scale, upTo: largest, threads: threads)
            let upToLess = try numbers.samples(memory, by: levels.scale, upTo: largest.nextDown, threads: threads)
            let areMade = (upToWhite != nil, upToAll != nil, upToLess != nil)
            #expect(areMade == (false, true, false))
        }
    }

    private func withNumbers(
        _ form: String, _ body: (StoredNumbers, UnsafeRawBufferPointer, (Float) -> NumberLevels?) throws -> Void
    ) throws {
        let (bytes, _) = try NumberDNG(form).written()
        try bytes.withUnsafeBytes { memory in
            let file = try #require(TIFFFile(memory))
            let dng = try #require(try DNGFacts(file, frame: 0))
            let size = try #require(dng.size)
            let layout = try #require(dng.layout(in: size))
            let numbers = try #require(try StoredNumbers(dng, layout))
            try body(numbers, memory) {
                NumberLevels(dng, size: size, largest: $0, baselineExposure: 0, keepsWhite: false)
            }
        }
    }
}
