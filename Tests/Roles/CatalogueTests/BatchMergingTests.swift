import ExternalTools
import Foundation
import Jobs
import LibraryFixtures
import Manifests
import PhotoTree
import SeededRandom
import Storage
import Testing

@testable import Catalogue

/// Manifests with simple changes are merged together. These tests compare that with merging them one by one.
@Suite("Merging manifests together") struct BatchMergingTests {
    /// Random manifests of a library with few RAWs, names and looks, so that all of them interact.
    private func manifests(
        _ fixture: LibraryFixture, _ archive: Root, _ random: inout SeededGenerator
    ) throws -> [Manifest] {
        var manifests = try fixture.variedManifests(sources: archive)
        for number in 0..<40 {
            let content = "raw \(Int.random(in: 0..<12, using: &random))"
            let folder = ["2019", "2020", "best"].randomElement(using: &random) ?? ""
            var shot = Shot(content, path: "\(folder)/\(content).CR2")
            if Int.random(in: 0..<4, using: &random) == 0 { shot.path = "2019/IMG_\(number % 3).NEF" }
            shot.look = ["velvet", "mono"].randomElement(using: &random) ?? ""
            shot.edit = Int.random(in: 0...1, using: &random)
            let isHeld = Int.random(in: 0..<9, using: &random) == 0
            let finished = 1_600_000_000_000 + Int64.random(in: 0..<20, using: &random) * 1000
            let manifest = try Manifest([try fixture.render(shot)], finished: finished, isHeld: isHeld)
            manifests.append(manifest)
            if number % 5 == 0 { manifests.append(manifest) }
        }
        return manifests.shuffled(using: &random)
    }

    private struct Outcome: Equatable {
        let content: [String]
        let photos: [String]
        /// By manifest.
        let frames: [[String]]
    }

    private func merge(
        _ manifests: [Manifest], _ fixture: LibraryFixture, _ archive: Root, together: Bool, batch: Int
    ) throws -> Outcome {
        var frames: [[String]] = []
        let driver = MergeDriver(fixture, roots: ["archive": archive], cluster: UUID().uuidString)
        try driver.run(
            manifests, batch: batch, confirms: false, together: together,
            onResults: { results in
                frames += results.map { result in
                    result.frames.map { "\($0.rendition.key) \($0.outcome) \($0.photo.map { "\($0)" } ?? "-")" }
                }
            })
        let outcome = Outcome(
            content: try fixture.content(), photos: fixture.files(below: "photos"), frames: frames)
        try fixture.expectConsistency(together ? "together" : "one by one")
        return outcome
    }

    private func compare(_ database: LibraryFixture.BackEnd, seed: Int) throws {
        let fixture = try LibraryFixture(on: database)
        let archive = try fixture.root("archive")
        var random = SeededGenerator(seed: UInt64(seed))
        let manifests = try manifests(fixture, archive, &random)
        let batch = Int.random(in: 1...manifests.count, using: &random)
        let one = try merge(manifests, fixture, archive, together: false, batch: batch)
        try fixture.loseDatabase()
        try FileManager.default.removeItem(atPath: fixture.libraryPath + "/photos")
        let all = try merge(manifests, fixture, archive, together: true, batch: batch)
        #expect(one.content == all.content, "seed \(seed)")
        #expect(one.photos == all.photos, "seed \(seed)")
        #expect(one.frames == all.frames, "seed \(seed)")

        // Again, and in other batches: nothing changes, and the answers are the same.
        let twice = try merge(manifests, fixture, archive, together: true, batch: 7)
        #expect(twice.content == all.content, "seed \(seed)")
        let last = try merge(manifests, fixture, archive, together: false, batch: 7)
        #expect(last == twice, "seed \(seed)")
    }

    @Test("It has the results of merging one after the other, in a file", .night, arguments: 1...12)
    func file(seed: Int) throws { try compare(.file, seed: seed) }

    @Test("It has the results of merging one after the other, on a server", .needs(.postgreSQL), arguments: 1...4)
    func server(seed: Int) throws { try compare(.server, seed: seed) }
}
