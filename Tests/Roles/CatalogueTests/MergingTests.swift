import Foundation
import Jobs
import Library
import Manifests
import Storage
import Testing

@testable import Catalogue

@Suite("Merging manifests") struct MergingTests {
    typealias Shot = CatalogueFixture.Shot
    let folder: TestFolder
    let darkroom: CatalogueFixture
    let sources: Root
    let merging: Merging

    init() throws {
        folder = try TestFolder()
        darkroom = try CatalogueFixture(folder)
        sources = try folder.root("archive")
        merging = Merging(folder: folder, roots: Roots(["archive": sources]))
    }

    @Test("shows a photo under its RAW's folder and name, as a hard link to the object")
    func shows() throws {
        let shot = Shot("a", path: "2019/IMG_1.CR2")
        try merging.run([try Manifest([try darkroom.develop(shot)], finished: 1)])
        #expect(folder.files(below: "photos") == ["photos/archive/2019/IMG_1.velvet.jpg"])
        try expectRowsAndFilesToAgree(folder, "one photo")
    }

    @Test("a repeated manifest changes nothing")
    func repeats() throws {
        let manifests = try variedManifests(darkroom, sources: sources)
        try merging.run(manifests)
        let once = try content(of: folder.library)
        try merging.run(manifests + manifests)
        #expect(try content(of: folder.library) == once)
        try expectRowsAndFilesToAgree(folder, "merged twice")
    }

    @Test("any order and any repetition of the same manifests gives the same library", arguments: 1...12)
    func order(seed: Int) throws {
        let manifests = try variedManifests(darkroom, sources: sources)
        try merging.run(manifests)
        let expected = try content(of: folder.library)
        let shown = folder.files(below: "photos")
        try FileManager.default.removeItem(atPath: folder.library + "/library.sqlite")
        try FileManager.default.removeItem(atPath: folder.library + "/photos")

        var numbers = SeededNumbers(seed: UInt64(seed))
        let shuffled = (manifests + manifests.shuffled(using: &numbers).prefix(7)).shuffled(using: &numbers)
        try merging.run(shuffled, batch: Int.random(in: 1...6, using: &numbers))
        #expect(try content(of: folder.library) == expected, "seed \(seed)")
        #expect(folder.files(below: "photos") == shown, "seed \(seed)")
        try expectRowsAndFilesToAgree(folder, "seed \(seed)")
    }

    @Test("killed after any step, the next start repairs it and the end is the same")
    func kills() throws {
        struct Kill: Error {}
        let manifests = try variedManifests(darkroom, sources: sources)
        var steps = 0
        try merging.run(manifests) { _ in steps += 1 }
        let expected = try content(of: folder.library)
        #expect(steps > 30)
        for fatal in 1...steps {
            try FileManager.default.removeItem(atPath: folder.library)
            try FileManager.default.removeItem(atPath: folder.path + "/archive")
            _ = try folder.root("archive")
            let fresh = Merging(folder: folder, roots: Roots(["archive": try folder.root("archive")]))
            let again = try variedManifests(try CatalogueFixture(folder), sources: try folder.root("archive"))
            var left = fatal
            #expect(throws: Kill.self) {
                try fresh.run(again) { _ in
                    left -= 1
                    if left == 0 { throw Kill() }
                }
            }
            try fresh.run([])
            try expectRowsAndFilesToAgree(folder, "restarted after step \(fatal)")
            try fresh.run(again)
            #expect(try content(of: folder.library) == expected, "killed after step \(fatal)")
            try expectRowsAndFilesToAgree(folder, "finished after step \(fatal)")
            let source = FileManager.default.fileExists(atPath: folder.path + "/archive/2020/move.ARW")
            #expect(!source, "moved, killed after step \(fatal)")
        }
    }
}

extension MergingTests {
    @Test("names that collide are told apart by extension, then by asset")
    func collisions() throws {
        try merging.run(try variedManifests(darkroom, sources: sources))
        let shown = folder.files(below: "photos").map { $0.replacing("photos/archive/", with: "") }
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
