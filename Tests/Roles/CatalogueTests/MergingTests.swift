import Foundation
import Jobs
import LibraryFixtures
import Manifests
import PhotoTree
import SeededRandom
import Storage
import Testing

@testable import Catalogue

@Suite("Merging manifests") struct MergingTests {
    let fixture: LibraryFixture
    let sources: Root
    let merging: MergeDriver

    init() throws {
        fixture = try LibraryFixture()
        sources = try fixture.root("archive")
        merging = MergeDriver(fixture, roots: ["archive": sources])
    }

    @Test("A photo is shown in its RAW's folder under its name, as a separate file with the object's bytes")
    func shows() throws {
        let shot = Shot("a", path: "2019/IMG_1.CR2")
        try merging.run([try Manifest([try fixture.render(shot)], finished: 1)])
        #expect(fixture.files(below: "photos") == ["photos/archive/2019/IMG_1.velvet.jpg"])
        try fixture.expectConsistency("one photo")
    }

    @Test("A repeated manifest changes nothing")
    func repeats() throws {
        let manifests = try fixture.variedManifests(sources: sources)
        try merging.run(manifests)
        let once = try fixture.content()
        try merging.run(manifests + manifests)
        #expect(try fixture.content() == once)
        try fixture.expectConsistency("merged twice")
    }

    @Test("Order and repetition of manifests do not change the library", arguments: 1...12)
    func order(seed: Int) throws {
        let manifests = try fixture.variedManifests(sources: sources)
        try merging.run(manifests)
        let expected = try fixture.content()
        let shown = fixture.files(below: "photos")
        try fixture.loseDatabase()
        try FileManager.default.removeItem(atPath: fixture.libraryPath + "/photos")

        var numbers = SeededGenerator(seed: UInt64(seed))
        let shuffled = (manifests + manifests.shuffled(using: &numbers).prefix(7)).shuffled(using: &numbers)
        try merging.run(shuffled, batch: Int.random(in: 1...6, using: &numbers))
        #expect(try fixture.content() == expected, "seed \(seed)")
        #expect(fixture.files(below: "photos") == shown, "seed \(seed)")
        try fixture.expectConsistency("seed \(seed)")
    }

    @Test("A cataloguer that dies after any step finishes at its next start, with the same result")
    func kills() throws {
        struct Kill: Error {}
        let manifests = try fixture.variedManifests(sources: sources)
        var steps = 0
        try merging.run(manifests) { _ in steps += 1 }
        let expected = try fixture.content()
        #expect(steps > 30)
        for fatal in 1...steps {
            try FileManager.default.removeItem(atPath: fixture.libraryPath)
            try FileManager.default.removeItem(atPath: fixture.path + "/archive")
            let archive = try fixture.root("archive")
            let fresh = MergeDriver(fixture, roots: ["archive": archive])
            let again = try fixture.variedManifests(sources: archive)
            var left = fatal
            #expect(throws: Kill.self) {
                try fresh.run(again) { _ in
                    left -= 1
                    if left == 0 { throw Kill() }
                }
            }
            try fresh.run([])
            try fixture.expectConsistency("restarted after step \(fatal)")
            try fresh.run(again)
            #expect(try fixture.content() == expected, "killed after step \(fatal)")
            try fixture.expectConsistency("finished after step \(fatal)")
            let source = FileManager.default.fileExists(atPath: fixture.path + "/archive/2020/move.ARW")
            #expect(!source, "moved, killed after step \(fatal)")
        }
    }
}

extension MergingTests {
    @Test("Colliding names are distinguished by extension, then by asset")
    func collisions() throws {
        try merging.run(try fixture.variedManifests(sources: sources))
        let shown = fixture.files(below: "photos").map { $0.replacing("photos/archive/", with: "") }
        #expect(
            Set(shown).isSuperset(of: [
                "2019/IMG_1.velvet.jpg", "2019/IMG_1.NEF.velvet.jpg", "2019/IMG_1.CR2.velvet.jpg",
                "2019/IMG_1.mono.jpg", "2020/move.velvet.jpg", "2020/move.ARW.velvet.jpg", "2020/move.ARW",
                "2020/é 1.velvet.jpg", "2020/é 1.ARW", "burst.velvet.jpg", "burst.2.velvet.jpg",
                "burst.2.dng.velvet.jpg",
            ]))
        #expect(shown.count == 14)
    }
}
