import CameraFiles
import ExternalTools
import PictureFormat
import Pixels
import Testing

@testable import Decode
@testable import Samples

/// Sony's compressed samples, compared with LibRaw: any bytes are valid samples.
@Suite struct ARWTests {
    @Test("A photo's blocks give LibRaw's samples and facts")
    func photo() throws {
        let file = ARWFile()
        try UnpackerOutcome.compare(file.file(file.samples(CameraScene.plane(file.size, black: 512, bits: 14))))
    }

    @Test("Random blocks give LibRaw's samples", arguments: Requirement.rounds(12))
    func random(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var file = ARWFile()
        file.size = PixelSize(width: 32 * Int(4 + random.next() % 30), height: Int(70 + random.next() % 100))
        if seed % 3 == 0 { file.curve = (0..<4).map { _ in Int(random.next() % 16_384) }.sorted() }
        var samples = (0..<file.size.pixelCount).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        if seed % 2 == 0 { Self.nameOnePlace(&samples) }
        try UnpackerOutcome.compare(file.file(samples))
    }

    @Test("Blocks are unpacked by Rawmill, independent of the number of threads")
    func own() throws {
        var random = SplitMix64(seed: 5)
        let file = ARWFile()
        let bytes = file.file((0..<file.size.pixelCount).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        try bytes.withUnsafeBytes { memory in
            let frame = try Frame(0, of: memory, limits: .standard)
            let layout = try #require(frame.raw.facts.layout)
            let stored = try #require(try StoredSamples(frame, layout))
            #expect(stored.chunks.count == 2)
        }
        try withRaw(bytes) { raw in
            let difference = firstDifference(try raw.decode().plane, try raw.decode(threads: 3).plane)
            #expect(difference == nil)
        }
    }

    @Test("A file that is cut off is damaged", arguments: [1, 5000])
    func cut(missing: Int) throws {
        let file = ARWFile()
        let bytes = file.file([UInt8](repeating: 77, count: file.size.pixelCount))
        let error = #expect(throws: DecodeError.self) {
            try withRaw(Array(bytes.dropLast(missing))) { raw in _ = try raw.decode().facts }
        }
        #expect(error?.reason == .corrupt)
    }

    /// Makes every third block name the same place for its minimum and maximum.
    private static func nameOnePlace(_ samples: inout [UInt8]) {
        for start in stride(from: 0, to: samples.count, by: 48) {
            let place = UInt32(samples[start] & 15)
            let word = (0..<4).reduce(UInt32(0)) { $0 | UInt32(samples[start + $1]) << UInt32(8 * $1) }
            let both = word & 0xc03f_ffff | place << 22 | place << 26
            for index in 0..<4 { samples[start + index] = UInt8(truncatingIfNeeded: both >> UInt32(8 * index)) }
        }
    }
}
