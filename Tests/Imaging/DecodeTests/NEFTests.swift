import CameraFiles
import PictureFormat
import Pixels
import Testing

@testable import Decode
@testable import Samples

/// Nikon's compressed samples, which LibRaw judges.
@Suite struct NEFTests {
    static let files: [NEFFile] = [
        NEFFile(.lossless, bits: 12), NEFFile(.lossless, bits: 14), NEFFile(.lossy, bits: 12),
        NEFFile(.lossy, bits: 14), NEFFile(.lossy, bits: 12, split: 301), NEFFile(.lossy, bits: 14, split: 60),
        NEFFile(.lossy, bits: 12, split: 5000),
    ]

    @Test(
        "A photo gives LibRaw's samples and facts, and lossless samples are those that were written", arguments: files)
    func photo(file: NEFFile) throws {
        let plane = CameraScene.plane(file.size, black: 512, bits: file.bits)
        let bytes = file.file(file.stream(plane))
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
            #expect(String(describing: own.facts) == String(describing: judge.facts))
            if file.compression == .lossless {
                let loss = firstDifference(own.plane, plane)
                #expect(loss == nil)
            }
        }
    }

    @Test("Damaged streams are refused where LibRaw refuses them, and else give its samples", arguments: files)
    func damage(file: NEFFile) throws {
        var file = file
        file.size = PixelSize(width: 320, height: 100)
        if file.split > 0 { file.split = 50 }
        var random = SplitMix64(seed: 6)
        let stream = file.stream(CameraScene.plane(file.size, black: 512, bits: file.bits))
        var (refused, read) = (0, 0)
        for _ in 0..<30 {
            var damaged = stream
            // Near the end a false sum often stays in range.
            let reach = random.next() % 2 == 0 ? damaged.count : 60
            let place = damaged.count - 1 - Int(random.next() % UInt64(reach))
            damaged[place] ^= UInt8(1 << (random.next() % 8))
            if random.next() % 8 == 0 { damaged.removeLast(Int(1 + random.next() % 3)) }
            let (own, judge) = (try outcome(file.file(damaged), .own), try outcome(file.file(damaged), .libRaw))
            #expect(own == judge)
            if own.samples.isEmpty { refused += 1 } else { read += 1 }
        }
        #expect(refused > 2 && read > 2)
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
