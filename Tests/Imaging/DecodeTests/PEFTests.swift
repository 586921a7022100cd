import CameraFiles
import ExternalTools
import PictureFormat
import Pixels
import Testing

@testable import Decode
@testable import Samples

/// Pentax's samples, compared with LibRaw.
@Suite struct PEFTests {
    static let files = [PEFFile(bits: 12), PEFFile(bits: 14)]

    @Test("A photo gives the written samples and LibRaw's facts", arguments: files)
    func photo(file: PEFFile) throws {
        let plane = CameraScene.plane(file.size, black: 512, bits: file.bits)
        try UnpackerOutcome.expect(file.file(file.stream(plane)), gives: plane)
    }

    @Test("Damaged streams are refused if LibRaw refuses them, and otherwise give its samples", arguments: files)
    func damage(file: PEFFile) throws {
        var file = file
        file.size = PixelSize(width: 320, height: 100)
        let stream = file.stream(CameraScene.plane(file.size, black: 512, bits: file.bits))
        var damage = StreamDamage(seed: 6)
        let outcomes = try (0..<30).map { _ in try UnpackerOutcome.compare(file.file(damage.damaged(stream))) }
        let refused = outcomes.count { $0.samples.isEmpty }
        #expect(refused > 2 && refused < 28)
    }

    @Test("Random bits with a random code are read as in LibRaw", arguments: Requirement.rounds(16))
    func random(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var file = PEFFile(bits: seed % 2 == 0 ? 12 : 14)
        file.size = PixelSize(width: 2 * Int(40 + random.next() % 60), height: 30)
        // Mostly small differences, because sums must stay in range.
        let small = seed % 4 < 2
        file.codes = PEFFile.codes(
            counts: [1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 2, 4],
            categories: (small ? [0, 1, 2, 3, 4] : [3, 2, 4, 1, 0]).shuffled(using: &random) + Array(5..<15))
        #expect(file.codes.allSatisfy { $0.length > 0 })
        let stream = (0..<file.size.pixelCount * 2).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let bytes = file.file(stream)
        #expect(try UnpackerOutcome.isOwn(bytes))
        try UnpackerOutcome.compare(bytes)
    }

    @Test("Tables that are not canonical codes are left to LibRaw")
    func tables() throws {
        var file = PEFFile(bits: 12)
        let stream = file.stream(CameraScene.plane(file.size, black: 512, bits: 12))
        for change in 0..<3 {
            let (start, length) = file.codes[3]
            switch change {
            case 0: file.codes[3] = file.codes[4]
            case 1: file.codes[3].length = length + 1
            default: file.codes[3] = (start + 4096, length)
            }
            #expect(try !UnpackerOutcome.isOwn(file.file(stream)))
            file.codes[3] = (start, length)
        }
        #expect(try UnpackerOutcome.isOwn(file.file(stream)))
    }

    @Test("Uncompressed 12-bit samples are unpacked by Rawmill")
    func packed() throws {
        let file = PEFFile(bits: 12)
        let plane = CameraScene.plane(file.size, black: 512, bits: 12)
        var packed = PackedNEFFile()
        packed.size = file.size
        let bytes = file.file(packed.samples(plane), compression: 32773)
        #expect(try UnpackerOutcome.isOwn(bytes))
        let outcome = try UnpackerOutcome.compare(bytes)
        #expect(outcome.samples.count == file.size.pixelCount)
    }
}
