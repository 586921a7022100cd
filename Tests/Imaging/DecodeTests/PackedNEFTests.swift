import CameraFiles
import PictureFormat
import Pixels
import Testing

@testable import Decode
@testable import Samples

/// Nikon's packed samples, which LibRaw judges.
@Suite struct PackedNEFTests {
    @Test("A photo gives the samples that were written, and LibRaw's facts")
    func photo() throws {
        let file = PackedNEFFile()
        let plane = CameraScene.plane(file.size, black: 512, bits: 12)
        let bytes = file.file(file.samples(plane))
        try bytes.withUnsafeBytes { memory in
            let frame = try Frame(0, of: memory, limits: .standard)
            let layout = try #require(frame.raw.facts.layout)
            #expect(try StoredSamples(frame, layout) != nil)
        }
        try withRaw(bytes) { raw in
            let own = try raw.decode()
            let judge = try raw.decode(DecodeOptions(unpacker: .libRaw))
            let difference = firstDifference(own.plane, judge.plane)
            #expect(difference == nil)
            let loss = firstDifference(own.plane, plane)
            #expect(loss == nil)
            #expect(String(describing: own.facts) == String(describing: judge.facts))
        }
    }

    @Test("Any bytes give LibRaw's samples, and a file that is cut is refused as LibRaw's is", arguments: 0..<12)
    func random(round: Int) throws {
        var file = PackedNEFFile()
        file.size = PixelSize(width: 320, height: 100)
        var random = SplitMix64(seed: UInt64(round))
        var samples = file.samples(CameraScene.plane(file.size, black: 512, bits: 12))
        let count = round < 4 ? samples.count : 1 << (round - 4)
        for _ in 0..<count {
            samples[Int(random.next() % UInt64(samples.count))] = UInt8(truncatingIfNeeded: random.next())
        }
        var bytes = file.file(samples)
        if round % 5 == 4 { bytes.removeLast(round) }
        #expect(try outcome(bytes, .own) == outcome(bytes, .libRaw))
    }

    private struct Outcome: Equatable {
        var samples: [UInt16] = []
        var reason: String?
    }

    private func outcome(_ bytes: [UInt8], _ unpacker: DecodeOptions.Unpacker) throws -> Outcome {
        do {
            return try withRaw(bytes) { raw in
                let image = try raw.decode(DecodeOptions(unpacker: unpacker))
                let plane = image.plane.size
                return Outcome(
                    samples: (0..<plane.height).flatMap { y in (0..<plane.width).map { image.plane.row(y)[$0] } })
            }
        } catch let error as DecodeError {
            return Outcome(reason: "\(error.reason)")
        }
    }
}
