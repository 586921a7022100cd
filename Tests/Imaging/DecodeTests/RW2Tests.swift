import CameraFiles
import ExternalTools
import PictureFormat
import Pixels
import Testing

@testable import Decode
@testable import DecodeKernels
@testable import Samples

/// Panasonic's samples, compared with LibRaw: in all formats except 4, any bytes are valid samples.
@Suite struct RW2Tests {
    static let files = [
        RW2File(4, bits: 12), RW2File(5, bits: 12), RW2File(5, bits: 14), RW2File(6, bits: 14), RW2File(7, bits: 14),
        RW2File(6, bits: 12), RW2File(7, bits: 12),
    ]

    /// LibRaw reads 12-bit format 6 from 0.21 on.
    private static func isKnown(_ file: RW2File) -> Bool {
        file.format != 6 || file.bits != 12 || RawLibrary.knowsCamerasAfter2020
    }

    @Test("A photo gives LibRaw's samples and facts, and plain samples are the written ones", arguments: files)
    func photo(file: RW2File) throws {
        let plane = CameraScene.plane(file.size, black: 512, bits: file.bits)
        let bytes = file.file(file.groups(plane))
        try UnpackerOutcome.compare(bytes)
        guard Self.isKnown(file) else { return }
        #expect(try UnpackerOutcome.isOwn(bytes))
        try withRaw(bytes) { raw in
            let image = try raw.decode()
            // Steps of up to 16; in format 6 the limit is 15 below that of the samples.
            let tolerance = file.format == 4 ? 15 : file.format == 6 ? 30 : 0
            let worst = (0..<file.size.height).map { y in
                (0..<file.size.width).map { abs(Int(image.plane.row(y)[$0]) - Int(plane.row(y)[$0])) }.max() ?? 0
            }.max()
            #expect(worst ?? 0 <= tolerance)
        }
    }

    @Test("Any bytes give LibRaw's samples, or are refused as in LibRaw", arguments: files, Requirement.rounds(6))
    func random(file: RW2File, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var file = file
        // Rows that end within blocks; the second half of an incomplete block.
        file.size = PixelSize(
            width: file.samplesPerGroup * Int(3 + random.next() % 40), height: 16 * Int(1 + random.next() % 8))
        if seed == 4 { file.borders = [4, file.size.height - 6, file.size.width - 8] }
        var groups = file.groups(CameraScene.plane(file.size, black: 512, bits: file.bits))
        // Format 4 has samples beyond its range.
        let rare = file.format == 4 ? 400 : 1
        for index in groups.indices where random.next() % UInt64(rare) == 0 {
            groups[index] = seed % 2 == 0 ? 0 : UInt8(truncatingIfNeeded: random.next())
        }
        try UnpackerOutcome.compare(file.file(groups))
    }

    @Test("Single groups of any bytes are read or refused as in LibRaw")
    func groups() throws {
        var random = SplitMix64(seed: 8)
        var file = RW2File(4, bits: 12)
        file.size = PixelSize(width: 14 * 2, height: 22)
        var refused = 0
        for round in 0..<200 {
            var groups = (0..<file.size.pixelCount / 14 * 16).map { index -> UInt8 in
                // From the highest byte down: small steps, and zeros at the beginning of a row of numbers.
                let byte = UInt8(truncatingIfNeeded: random.next())
                return index % 16 > 12 && random.next() % 3 == 0 ? 0 : round % 3 == 0 ? byte : byte & 0x3f
            }
            if round % 5 == 0 { for index in 0..<groups.count / 2 { groups[index] = 0 } }
            if try UnpackerOutcome.compare(file.file(groups)).samples.isEmpty { refused += 1 }
        }
        #expect(refused > 5 && refused < 195)
    }

    @Test("The number of threads changes nothing")
    func threads() throws {
        let file = RW2File(4, bits: 12)
        let bytes = file.file(file.groups(CameraScene.plane(file.size, black: 512, bits: 12)))
        try withRaw(bytes) { raw in
            let difference = firstDifference(try raw.decode().plane, try raw.decode(threads: 3).plane)
            #expect(difference == nil)
        }
    }

    /// LibRaw reads zeros instead, or old memory.
    @Test(
        "A truncated file is refused, even if LibRaw would unpack it", arguments: files,
        [true, false])
    func cut(file: RW2File, hasWholeGroups: Bool) throws {
        guard Self.isKnown(file) else { return }
        var file = file
        file.size = PixelSize(width: file.size.width, height: 64)
        let groups = file.groups(CameraScene.plane(file.size, black: 512, bits: file.bits))
        if !hasWholeGroups { file.size = PixelSize(width: file.size.width - 2, height: 64) }
        let bytes = file.file(groups)
        if hasWholeGroups { try withRaw(bytes) { _ = try $0.decode() } }
        let isInBlocks = file.format < 6
        let sampleBytes = GroupSamples.byteCount(groups: groups.count / 16, isInBlocks: isInBlocks)
        let storedBytes = isInBlocks ? (groups.count + 0x3fff) / 0x4000 * 0x4000 : groups.count
        // Bytes after the samples in the last block have no meaning.
        let spare = storedBytes - sampleBytes
        // For rows of incomplete groups, only LibRaw knows the last bytes.
        for missing in (hasWholeGroups ? [1, 2, 500] : []) + [9000, 0x4000, sampleBytes - 100] {
            let cut = Array(bytes.dropLast(spare + missing))
            #expect(throws: DecodeError.self) { try withRaw(cut) { _ = try $0.decode() } }
        }
    }
}
