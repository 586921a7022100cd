import CameraFiles
import PictureFormat
import Pixels
import Testing

@testable import Decode
@testable import Samples

/// Nikon's compressed samples, compared with LibRaw.
@Suite struct NEFTests {
    static let files: [NEFFile] = [
        NEFFile(.lossless, bits: 12), NEFFile(.lossless, bits: 14), NEFFile(.lossy, bits: 12),
        NEFFile(.lossy, bits: 14), NEFFile(.lossy, bits: 12, split: 301), NEFFile(.lossy, bits: 14, split: 60),
        NEFFile(.lossy, bits: 12, split: 5000),
    ]

    @Test(
        "A photo gives LibRaw's samples and facts, and lossless samples are the written ones", arguments: files)
    func photo(file: NEFFile) throws {
        let plane = CameraScene.plane(file.size, black: 512, bits: file.bits)
        let bytes = file.file(file.stream(plane))
        guard file.compression == .lossy else { return try UnpackerOutcome.expect(bytes, gives: plane) }
        #expect(try UnpackerOutcome.isOwn(bytes))
        try UnpackerOutcome.compare(bytes)
    }

    @Test("Damaged streams are refused if LibRaw refuses them, and otherwise give its samples", arguments: files)
    func damage(file: NEFFile) throws {
        var file = file
        file.size = PixelSize(width: 320, height: 100)
        if file.split > 0 { file.split = 50 }
        let stream = file.stream(CameraScene.plane(file.size, black: 512, bits: file.bits))
        var damage = StreamDamage(seed: 6)
        let outcomes = try (0..<30).map { _ in try UnpackerOutcome.compare(file.file(damage.damaged(stream))) }
        let refused = outcomes.count { $0.samples.isEmpty }
        #expect(refused > 2 && refused < 28)
    }
}
