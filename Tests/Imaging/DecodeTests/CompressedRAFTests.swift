import CameraFiles
import ExternalTools
import Foundation
import PictureFormat
import Pixels
import Testing

@testable import Decode
@testable import Samples

/// Fujifilm's lossless compression, compared with LibRaw.
@Suite struct CompressedRAFTests {
    static let kinds = [RAFFile.Sensor.xTrans, .bayer].flatMap { sensor in
        [12, 14, 16].map { RAFFile(compressed: sensor, bits: $0) }
    }

    /// One strip and a part of another.
    static func small(_ file: RAFFile) -> RAFFile {
        var file = file
        file.size = PixelSize(width: 792, height: 24)
        return file
    }

    static func scene(_ file: RAFFile) -> Plane<UInt16> {
        CameraScene.plane(file.size, black: 1022, bits: file.bits, layout: file.layout)
    }

    /// Expects Rawmill's unpacker to give LibRaw's samples and facts, or to refuse what LibRaw refuses. LibRaw 0.20
    /// crashes on short strips, so refusals are tested in a separate process.
    @discardableResult
    static func compare(
        _ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> UnpackerOutcome {
        let own = try UnpackerOutcome(bytes, .own)
        guard own.reason != nil else {
            return try UnpackerOutcome.compare(bytes, sourceLocation: sourceLocation)
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "rawmill-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let (output, isCrash) = try DecodeProbe.debug.run(["libraw", file.path])
        #expect(isCrash || output.hasSuffix(" \(own.reason ?? "")\n"), sourceLocation: sourceLocation)
        return own
    }

    @Test("A photo gives the written samples and LibRaw's facts", arguments: kinds)
    func photo(file: RAFFile) throws {
        let plane = Self.scene(file)
        try UnpackerOutcome.expect(file.file(file.samples(file.strips(plane))), gives: plane)
    }

    @Test(
        "Pictures of any width are joined from strips, singly and in pairs", arguments: [768, 1536, 1608, 3048],
        [RAFFile.Sensor.xTrans, .bayer])
    func widths(width: Int, sensor: RAFFile.Sensor) throws {
        var file = RAFFile(compressed: sensor, bits: 14)
        file.size = PixelSize(width: width, height: 24)
        let plane = Self.scene(file)
        try UnpackerOutcome.expect(file.file(file.samples(file.strips(plane))), gives: plane)
    }

    @Test("Any samples survive a round trip", arguments: Requirement.rounds(8), kinds)
    func extremes(seed: UInt64, kind: RAFFile) throws {
        var random = SplitMix64(seed: seed)
        let file = Self.small(kind)
        let limit: UInt64 = 1 << UInt64(file.bits)
        let plane = Plane<UInt16>(width: file.size.width, height: file.size.height)
        // Noise, edges and flat parts.
        for y in 0..<file.size.height {
            var level = random.next() % limit
            for x in 0..<file.size.width {
                if random.next() % 19 == 0 { level = random.next() % 3 == 0 ? limit - 1 : random.next() % limit }
                let noise = seed == 0 ? random.next() % limit : random.next() % (1 << (seed * 2 - 2))
                plane.row(y)[x] = UInt16(min(level ^ noise, limit - 1))
            }
        }
        try UnpackerOutcome.expect(file.file(file.samples(file.strips(plane))), gives: plane)
    }

    @Test("Damaged codes are refused if LibRaw refuses them, and otherwise give its samples", arguments: kinds)
    func damage(kind: RAFFile) throws {
        let file = Self.small(kind)
        let strips = file.strips(Self.scene(file))
        var damage = StreamDamage(seed: 6)
        var unpacked = 0
        for number in 0..<24 {
            var damaged = strips
            damaged[number % 2] = damage.damaged(strips[number % 2])
            let outcome = try Self.compare(file.file(file.samples(damaged)))
            if outcome.reason == nil { unpacked += 1 }
        }
        #expect(unpacked > 0 && unpacked < 24)
    }

    @Test("Random bits are refused or read as in LibRaw", arguments: kinds, Requirement.rounds(12))
    func random(kind: RAFFile, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let file = Self.small(kind)
        // More bits than needed, with varying frequency of ones.
        let strips = (0..<2).map { _ in
            (0..<60_000).map { _ -> UInt8 in
                let bits = random.next()
                let some = bits >> 8 & bits >> 16
                let kinds = [bits | some, bits, some, some & bits]
                return UInt8(truncatingIfNeeded: kinds[Int(seed / 3)])
            }
        }
        try Self.compare(file.file(file.samples(strips)))
    }

    @Test("A strip may end within the byte after its last one, and no earlier", arguments: kinds)
    func end(kind: RAFFile) throws {
        let file = Self.small(kind)
        let strips = file.strips(Self.scene(file))
        var reasons: [String?] = []
        for missing in 0..<4 {
            let cut = [Array(strips[0].dropLast(missing)), strips[1]]
            reasons.append(try Self.compare(file.file(file.samples(cut))).reason)
        }
        #expect(reasons.first == .some(nil) && reasons.last == "corrupt")
    }

    @Test("A picture without its end is refused", arguments: [1, 700, 9000])
    func cut(missing: Int) throws {
        let file = Self.small(RAFFile(compressed: .xTrans, bits: 14))
        let samples = file.samples(file.strips(Self.scene(file)))
        #expect(try Self.compare(file.file(samples.dropLast(missing + 8))).reason == "corrupt")
        #expect(try Self.compare(file.file(samples).dropLast(missing)).reason == "corrupt")
    }

    @Test("Headers with any bit changed are refused or read as in LibRaw", arguments: 0..<24)
    func headers(place: Int) throws {
        let file = Self.small(RAFFile(compressed: place % 2 == 0 ? .xTrans : .bayer, bits: 14))
        let samples = file.samples(file.strips(Self.scene(file)))
        for bit in 0..<8 {
            var damaged = samples
            damaged[place] ^= 1 << UInt8(bit)
            let bytes = file.file(damaged)
            // Other headers are read as samples of other kinds.
            guard try Self.isCompressed(bytes) else { continue }
            switch place {
            // Codes of the other kind, and filters that differ from the sensor's.
            case 2, 3: #expect(try UnpackerOutcome(bytes, .own).reason == "corrupt")
            default: try Self.compare(bytes)
            }
        }
    }

    private static func isCompressed(_ bytes: [UInt8]) throws -> Bool {
        do {
            return try withRaw(bytes) { raw in
                try raw.firstFrame().raw.text(.decoderName) == "fuji_compressed_load_raw()"
            }
        } catch is DecodeError {
            return false
        }
    }

    @Test("Any layout of the colours is read as in LibRaw", arguments: 0..<4)
    func layouts(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let file = Self.small(RAFFile(compressed: .xTrans, bits: 14))
        var bytes = file.file(file.samples(file.strips(Self.scene(file))))
        let field: [UInt8] = [0x01, 0x31, 0, 36]
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: field) }) + field.count
        for index in place..<place + 36 { bytes[index] = UInt8(random.next() % 3) }
        #expect(try UnpackerOutcome.isOwn(bytes))
        try Self.compare(bytes)
    }

    @Test("Threads share the strips", arguments: [2, 3, 8])
    func threads(count: Int) throws {
        var file = RAFFile(compressed: .xTrans, bits: 14)
        file.size = PixelSize(width: 4632, height: 24)
        let plane = Self.scene(file)
        try withRaw(file.file(file.samples(file.strips(plane)))) { raw in
            let loss = firstDifference(try raw.decode(xTrans: .mosaic, threads: count).plane, plane)
            #expect(loss == nil)
        }
    }
}
