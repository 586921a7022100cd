import CameraFiles
import PictureFormat
import Pixels
import Testing

@testable import Decode
@testable import Samples

/// Olympus's samples, compared with LibRaw.
@Suite struct ORFTests {
    @Test("A photo gives the written samples and LibRaw's facts", arguments: ORFFile.Form.allCases)
    func photo(form: ORFFile.Form) throws {
        let file = ORFFile(form)
        let plane = CameraScene.plane(file.size, black: 1024, bits: 12)
        try UnpackerOutcome.expect(file.file(file.samples(plane)), gives: plane)
    }

    @Test("Columns and rows that LibRaw does not read are 0", arguments: [4100, 4080, 9280])
    func unreadSamples(width: Int) throws {
        var file = ORFFile(.compressed)
        file.size = PixelSize(width: width, height: 40)
        let bytes = file.file(file.samples(CameraScene.plane(file.size, black: 1024, bits: 12)))
        #expect(try UnpackerOutcome.isOwn(bytes))
        #expect(try UnpackerOutcome.compare(bytes).samples.count == file.size.pixelCount)
    }

    @Test("Any 12-bit samples survive a round trip", arguments: 0..<4)
    func extremes(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var file = ORFFile(.compressed)
        file.size = PixelSize(width: 300, height: 40)
        let plane = Plane<UInt16>(width: file.size.width, height: file.size.height)
        // Noise, edges and flat parts.
        for y in 0..<file.size.height {
            var level = random.next() % 4096
            for x in 0..<file.size.width {
                if random.next() % 9 == 0 { level = random.next() % 4096 }
                let noise = seed == 0 ? random.next() % 4096 : random.next() % (1 << (seed * 2))
                plane.row(y)[x] = UInt16(min(level ^ noise, 4095))
            }
        }
        try UnpackerOutcome.expect(file.file(file.samples(plane)), gives: plane)
    }

    @Test("Damaged streams are refused if LibRaw refuses them, and otherwise give its samples")
    func damage() throws {
        var file = ORFFile(.compressed)
        file.size = PixelSize(width: 320, height: 100)
        let stream = file.samples(CameraScene.plane(file.size, black: 1024, bits: 12))
        var damage = StreamDamage(seed: 6)
        let outcomes = try (0..<60).map { _ in try UnpackerOutcome.compare(file.file(damage.damaged(stream))) }
        let refused = outcomes.count { $0.samples.isEmpty }
        #expect(refused > 2 && refused < 58)
    }

    @Test("Differences beyond the sample range are read as in LibRaw", arguments: [2, 3, 7, 50])
    func detours(detour: Int) throws {
        var file = ORFFile(.compressed)
        file.size = PixelSize(width: 320, height: 100)
        file.detour = detour
        let stream = file.samples(CameraScene.plane(file.size, black: 1024, bits: 12))
        #expect(try UnpackerOutcome.compare(file.file(stream)).samples.count == file.size.pixelCount)
        var damage = StreamDamage(seed: 7)
        for _ in 0..<20 { try UnpackerOutcome.compare(file.file(damage.damaged(stream))) }
    }

    @Test("Random bits are refused or read as in LibRaw")
    func random() throws {
        var random = SplitMix64(seed: 4)
        var file = ORFFile(.compressed)
        file.size = PixelSize(width: 24, height: 22)
        for _ in 0..<100 {
            let rare = random.next() % 30 + 2
            let stream = (0..<file.size.pixelCount * 4).map { _ -> UInt8 in
                random.next() % rare == 0 ? UInt8(truncatingIfNeeded: random.next()) : 0x24
            }
            try UnpackerOutcome.compare(file.file(stream))
        }
    }

    @Test("Any packed bytes give LibRaw's samples", arguments: [ORFFile.Form.words, .padded], 0..<4)
    func packed(form: ORFFile.Form, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var file = ORFFile(form)
        file.size = PixelSize(width: 320, height: 100)
        var samples = file.samples(CameraScene.plane(file.size, black: 1024, bits: 12))
        for index in samples.indices where form == .words || index % 16 < 15 {
            samples[index] = UInt8(truncatingIfNeeded: random.next())
        }
        // The byte after ten samples.
        if form == .padded && seed == 0 { samples[16 * 777 + 15] = 1 }
        #expect(try UnpackerOutcome.isOwn(file.file(samples)))
        let outcome = try UnpackerOutcome.compare(file.file(samples))
        #expect(outcome.samples.isEmpty == (form == .padded && seed == 0))
    }

    @Test("A truncated file has LibRaw's result", arguments: ORFFile.Form.allCases, [1, 3, 2000])
    func cut(form: ORFFile.Form, missing: Int) throws {
        var file = ORFFile(form)
        file.size = PixelSize(width: 320, height: 100)
        let samples = file.samples(CameraScene.plane(file.size, black: 1024, bits: 12))
        try UnpackerOutcome.compare(Array(file.file(samples).dropLast(missing)))
    }
}
