import Digest
import Foundation
import LibraryFixtures
import Manifests
import SeededRandom
import Storage
import Synchronization
import Testing

@testable import Upkeep

@Suite("Verifying a part of a library") struct SampledVerificationTests {
    @Test("Adjacent parts contain every hash once, for any widths")
    func partition() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<200 {
            let digest = SHA256Value(of: (0..<8).map { _ in UInt8.random(in: 0...255, using: &random) })
            let cut = Double(UInt16.random(in: 0...UInt16.max, using: &random)) / 65_536
            let start = UInt16.random(in: 0...UInt16.max, using: &random)
            let first = ContentSample(fraction: cut, start: start)
            let second = ContentSample(fraction: 1 - cut, start: start &+ UInt16(cut * 65_536))
            #expect(first.contains(digest) != second.contains(digest))
            #expect(ContentSample.all.contains(digest) && !ContentSample.none.contains(digest))
        }
    }

    @Test("Damage that keeps the length is found by the part with the file, and a missing file by each part")
    func rot() async throws {
        let fixture = try LibraryFixture()
        let shots = (0..<12).map { Shot("\($0)", path: "IMG_\($0).CR2") }
        let renditions = try shots.map { try fixture.render($0) }
        try fixture.merge(try renditions.map { try Manifest([$0], finished: 1) })
        for rendition in renditions.prefix(6) {
            let handle = try FileHandle(
                forWritingTo: URL(fileURLWithPath: "\(fixture.libraryPath)/\(rendition.photo.path)"))
            try handle.write(contentsOf: Data([0]))
        }
        try FileManager.default.removeItem(atPath: "\(fixture.libraryPath)/\(renditions[9].photo.path)")
        func found(_ sample: ContentSample) async throws -> (changed: Int, missing: Int) {
            let report = try await LibraryVerification(
                library: fixture.libraryPath, roots: Roots([:]), checkers: 2, sample: sample,
                bytesPerSecond: 1 << 30, metadataProgram: LibraryFixture.program
            ).run()
            return (report.findings[.photoChanged] ?? 0, report.findings[.photoMissing] ?? 0)
        }
        #expect(try await found(.all) == (6, 1))
        #expect(try await found(.none) == (0, 1))
        let halves = [ContentSample(fraction: 0.5, start: 7), ContentSample(fraction: 0.5, start: 32_775)]
        var changed = 0
        for half in halves {
            let part = try await found(half)
            changed += part.changed
            #expect(part.missing == 1)
        }
        #expect(changed == 6)
    }

    @Test("With a limit, files are read in small parts, and none is skipped")
    func parts() {
        let files = Array(0..<21)
        #expect(ReadingPace(bytesPerSecond: nil).parts(of: files).count == 1)
        let parts = ReadingPace(bytesPerSecond: 1).parts(of: files)
        #expect(parts.flatMap { $0 } == files && parts.count == 3)
        #expect(ReadingPace(bytesPerSecond: 1).parts(of: [Int]()).isEmpty)
    }
}
