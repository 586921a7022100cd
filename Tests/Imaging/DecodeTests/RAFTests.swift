import CameraFiles
import ExternalTools
import PictureFormat
import Pixels
import Testing

@testable import Decode
@testable import Samples

/// Fujifilm's uncompressed samples, compared with LibRaw.
@Suite struct RAFTests {
    @Test("A photo gives the written samples and LibRaw's facts", arguments: [14, 16])
    func photo(bits: Int) throws {
        let file = RAFFile(bits: bits)
        let plane = CameraScene.plane(file.size, black: 1022, bits: 14)
        try UnpackerOutcome.expect(file.file(file.samples(plane)), gives: plane)
    }

    @Test(
        "Any bytes are read or refused as in LibRaw, with rows of any length", arguments: [14, 16],
        Requirement.rounds(10))
    func random(bits: Int, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var file = RAFFile(bits: bits)
        let together = seed < 6 ? 16 : 4
        file.size = PixelSize(width: together * Int(20 + random.next() % 20), height: 48)
        var samples = file.samples(CameraScene.plane(file.size, black: 1022, bits: 14))
        for _ in 0..<(seed % 2 == 0 ? samples.count : 1) {
            samples[Int(random.next() % UInt64(samples.count))] = UInt8(truncatingIfNeeded: random.next())
        }
        var bytes = file.file(samples)
        if seed % 4 == 3 { bytes.removeLast(Int(seed)) }
        try UnpackerOutcome.compare(bytes)
    }

    @Test("Samples that begin like the header of a lossy RAF are still samples")
    func likeHeader() throws {
        let file = RAFFile(bits: 14)
        var samples = file.samples(CameraScene.plane(file.size, black: 1022, bits: 14))
        samples.replaceSubrange(0..<3, with: [0x49, 0x53, 0])
        #expect(try UnpackerOutcome.compare(file.file(samples)).reason == nil)
    }
}
