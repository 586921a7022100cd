import CameraFiles
import PictureFormat
import Pixels
import Testing

@testable import Decode
@testable import Samples

/// Nikon's packed samples, compared with LibRaw.
@Suite struct PackedNEFTests {
    @Test("A photo gives the samples that were written, and LibRaw's facts")
    func photo() throws {
        let file = PackedNEFFile()
        let plane = CameraScene.plane(file.size, black: 512, bits: 12)
        try UnpackerOutcome.expect(file.file(file.samples(plane)), gives: plane)
    }

    @Test("Any bytes give LibRaw's samples, and a truncated file is refused as in LibRaw", arguments: 0..<12)
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
        try UnpackerOutcome.compare(bytes)
    }
}
