import CameraFiles
import ExternalTools
import PictureFormat
import Pixels
import Testing

@testable import Decode
@testable import Samples

/// Uncompressed 16-bit samples, compared with LibRaw.
@Suite struct WholeSamplesTests {
    @Test("A photo gives the written samples and LibRaw's facts", arguments: WholeSamplesFile.Maker.allCases)
    func photo(maker: WholeSamplesFile.Maker) throws {
        let file = WholeSamplesFile(maker)
        let plane = CameraScene.plane(file.size, black: 512, bits: 14)
        try UnpackerOutcome.expect(file.file(file.samples(plane)), gives: plane)
    }

    @Test(
        "Samples beyond the sensor's range are read or refused as in LibRaw",
        arguments: WholeSamplesFile.Maker.allCases, Requirement.rounds(6))
    func beyond(maker: WholeSamplesFile.Maker, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var file = WholeSamplesFile(maker)
        file.size = PixelSize(width: 321, height: 100)
        var samples = file.samples(CameraScene.plane(file.size, black: 512, bits: 14))
        for _ in 0..<[0, 1, 1, 1, 50, 5000][Int(seed)] {
            samples[2 * Int(random.next() % UInt64(file.size.pixelCount)) + 1] = UInt8(
                truncatingIfNeeded: random.next())
        }
        var bytes = file.file(samples)
        if seed == 5 { bytes.removeLast(3) }
        try UnpackerOutcome.compare(bytes)
    }
}
