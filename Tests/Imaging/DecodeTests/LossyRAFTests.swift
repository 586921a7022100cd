import CameraFiles
import ExternalTools
import Foundation
import TIFF
import PictureFormat
import Pixels
import Testing

@testable import Decode
@testable import Samples

/// Fujifilm's lossy compression, compared with LibRaw from 0.21 on; earlier versions refuse it.
@Suite struct LossyRAFTests {
    static let kinds = CompressedRAFTests.kinds

    /// Sequence of tolerances.
    enum Tolerances: String, CaseIterable {
        case none, one, two, three, nine, greatest, several

        func value(strip: Int, rows: Int) -> UInt8 {
            switch self {
            case .none: 0
            case .one: 1
            case .two: 2
            case .three: 3
            case .nine: 9
            case .greatest: 255
            case .several: [4, 4, 0, 17, 1, 2, 3, 255, 5, 5][(rows + 5 * strip) % 10]
            }
        }
    }

    /// A file with the results of decoders.
    private struct Lossy: ~Copyable {
        let file: RAFFile
        let strips: [[UInt8]]
        let tolerances: [[UInt8]]
        let decoded: Plane<UInt16>

        init(_ file: RAFFile, _ plane: borrowing Plane<UInt16>, _ kind: Tolerances) {
            self.file = file
            tolerances = (0..<file.stripCount).map { strip in
                (0..<file.size.height / 6).map { kind.value(strip: strip, rows: $0) }
            }
            decoded = Plane<UInt16>(width: file.size.width, height: file.size.height)
            strips = file.strips(plane, tolerances: tolerances, decoded: decoded)
        }

        var samples: [UInt8] { file.samples(strips, tolerances: tolerances) }
    }

    /// Noise, edges and flat parts, which use all scales.
    private static func noise(_ file: RAFFile, seed: UInt64) -> Plane<UInt16> {
        var random = SplitMix64(seed: seed)
        let limit: UInt64 = 1 << UInt64(file.bits)
        let plane = Plane<UInt16>(width: file.size.width, height: file.size.height)
        for y in 0..<file.size.height {
            var level = random.next() % limit
            for x in 0..<file.size.width {
                if random.next() % 29 == 0 { level = random.next() % 3 == 0 ? limit - 1 : random.next() % limit }
                let noise = random.next() % (1 << (random.next() % 9))
                plane.row(y)[x] = UInt16(min(level ^ noise, limit - 1))
            }
        }
        return plane
    }

    /// Unpacks a file's samples with its header, without LibRaw.
    private static func unpacked(_ file: RAFFile, _ samples: [UInt8]) throws -> [[UInt16]] {
        try samples.withUnsafeBytes { memory in
            let stored = try #require(
                try StoredSamples(
                    raf: ByteReader(memory, .bigEndian), at: 16, size: file.size, file.layout,
                    visible: PixelRect(x: 0, y: 0, size: file.size), isReadByLibRaw: false))
            switch try SampleUnpacker(stored: stored, bytes: memory).unpack(threads: 1) {
            case .some(let plane): return rows(plane)
            case nil: throw DecodeError.corrupt("left to LibRaw")
            }
        }
    }

    private static func rows(_ plane: borrowing Plane<UInt16>) -> [[UInt16]] {
        (0..<plane.height).map { y in
            let row = plane.row(y)
            return (0..<plane.width).map { row[$0] }
        }
    }

    @Test(
        "Samples are within their tolerance of the written ones, and match the codes", arguments: kinds,
        Tolerances.allCases)
    func tolerance(kind: RAFFile, tolerances: Tolerances) throws {
        let file = CompressedRAFTests.small(kind)
        let plane = CompressedRAFTests.scene(file)
        let lossy = Lossy(file, plane, tolerances)
        let unpacked = try Self.unpacked(file, lossy.samples)
        let isSame = unpacked == Self.rows(lossy.decoded)
        #expect(isSame)
        // In some lines, every other even column of an X-Trans sensor is not coded.
        guard file.sensor == .bayer else { return }
        var farthest = 0
        for y in 0..<file.size.height {
            for x in 0..<file.size.width {
                let distance = abs(Int(unpacked[y][x]) - Int(plane.row(y)[x]))
                let tolerance = Int(lossy.tolerances[x / 768][y / 6])
                #expect(distance <= tolerance)
                farthest = max(farthest, distance)
            }
        }
        #expect((farthest == 0) == (tolerances == .none))
    }

    @Test("Without tolerance, samples equal those of the lossless form", arguments: kinds)
    func lossless(kind: RAFFile) throws {
        let file = CompressedRAFTests.small(kind)
        let plane = CompressedRAFTests.scene(file)
        let lossy = Lossy(file, plane, .none)
        #expect(lossy.strips == file.strips(plane))
        let isSame = try Self.unpacked(file, lossy.samples) == Self.rows(plane)
        #expect(file.sensor == .xTrans || isSame)
    }

    @Test("Any samples are decoded as their codes state", arguments: Requirement.rounds(6), kinds)
    func extremes(seed: UInt64, kind: RAFFile) throws {
        let file = CompressedRAFTests.small(kind)
        let lossy = Lossy(file, Self.noise(file, seed: seed), Tolerances.allCases[Int(seed) + 1])
        let isSame = try Self.unpacked(file, lossy.samples) == Self.rows(lossy.decoded)
        #expect(isSame)
    }

    @Test("A lossy file has the facts of a lossless one, whether or not LibRaw supports it", arguments: kinds)
    func facts(kind: RAFFile) throws {
        let plane = CompressedRAFTests.scene(kind)
        let lossless = try UnpackerOutcome(kind.file(kind.samples(kind.strips(plane))), .own)
        let lossy = Lossy(kind, plane, .several)
        let own = try UnpackerOutcome(kind.file(lossy.samples), .own)
        #expect(own.reason == nil && own.facts == lossless.facts)
        let isSame = own.samples == Self.rows(lossy.decoded).flatMap { $0 }
        #expect(isSame)
    }

    @Test(
        "A lossy file that Rawmill cannot unpack never goes to LibRaw disguised as lossless",
        .enabled(if: !isJudged, "LibRaw knows of loss"))
    func left() throws {
        let file = CompressedRAFTests.small(RAFFile(compressed: .xTrans, bits: 14))
        let lossy = Lossy(file, CompressedRAFTests.scene(file), .several)
        #expect(try UnpackerOutcome(file.file(lossy.samples), .libRaw).reason == "unsupportedCamera")
    }

    @Test("Truncated tolerances and codes are refused", arguments: [4, 20, 40, 2000])
    func cut(count: Int) throws {
        let file = CompressedRAFTests.small(RAFFile(compressed: .bayer, bits: 14))
        let samples = Lossy(file, CompressedRAFTests.scene(file), .several).samples
        #expect(throws: DecodeError.self) { _ = try Self.unpacked(file, Array(samples.prefix(16 + count))) }
    }

    // MARK: Comparison with LibRaw

    private static let isJudged = RawLibrary.version.compare("0.21", options: .numeric) != .orderedAscending

    @Test(
        "A photo gives LibRaw's samples and facts", .enabled(if: isJudged, "LibRaw reads them from 0.21 on"),
        arguments: kinds, Tolerances.allCases)
    func photo(kind: RAFFile, tolerances: Tolerances) throws {
        var file = kind
        if tolerances == .several { file.size = PixelSize(width: 3048, height: 96) }
        let lossy = Lossy(file, CompressedRAFTests.scene(file), tolerances)
        try UnpackerOutcome.expect(file.file(lossy.samples), gives: lossy.decoded)
    }

    @Test(
        "Any samples are those of LibRaw", .enabled(if: isJudged, "LibRaw reads them from 0.21 on"),
        arguments: Requirement.rounds(6), kinds)
    func judgedExtremes(seed: UInt64, kind: RAFFile) throws {
        let file = CompressedRAFTests.small(kind)
        let lossy = Lossy(file, Self.noise(file, seed: seed), Tolerances.allCases[Int(seed) + 1])
        try UnpackerOutcome.expect(file.file(lossy.samples), gives: lossy.decoded)
    }

    @Test(
        "Damaged codes are refused if LibRaw refuses them, and otherwise give its samples",
        .enabled(if: isJudged, "LibRaw reads them from 0.21 on"), arguments: kinds)
    func damage(kind: RAFFile) throws {
        let file = CompressedRAFTests.small(kind)
        let lossy = Lossy(file, CompressedRAFTests.scene(file), .several)
        var damage = StreamDamage(seed: 7)
        for number in 0..<24 {
            var strips = lossy.strips
            strips[number % 2] = damage.damaged(strips[number % 2])
            try CompressedRAFTests.compare(file.file(file.samples(strips, tolerances: lossy.tolerances)))
        }
    }

    @Test(
        "Random bits and tolerances are refused or read as in LibRaw",
        .enabled(if: isJudged, "LibRaw reads them from 0.21 on"), arguments: kinds, Requirement.rounds(12))
    func random(kind: RAFFile, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let file = CompressedRAFTests.small(kind)
        let strips = (0..<2).map { _ in
            (0..<45_000).map { _ -> UInt8 in
                let bits = random.next()
                let some = bits >> 8 & bits >> 16
                return UInt8(truncatingIfNeeded: [bits | some, bits, some, some & bits][Int(seed / 3)])
            }
        }
        let tolerances = (0..<2).map { _ in
            (0..<4).map { _ in UInt8(truncatingIfNeeded: random.next() & random.next()) }
        }
        try CompressedRAFTests.compare(file.file(file.samples(strips, tolerances: tolerances)))
    }
}
