import Foundation
import Jobs
import LibraryFixtures
import LibraryTables
import Manifests
import PhotoTree
import SeededRandom
import Selection
import Storage
import Testing
import Upkeep

@Suite("One RAW in several folders") struct DuplicateTests {
    let fixture: LibraryFixture
    let sources: Root
    let trip = Shot("a", path: "trip/IMG_1.CR2")

    init() throws {
        fixture = try LibraryFixture()
        sources = try fixture.root("archive")
    }

    /// The manifest of a job for another copy of the RAW, with the photo of the first job.
    func manifest(_ shot: Shot, at path: String, finished: Int64 = 2) throws -> Manifest {
        let source = try shot.with { $0.path = path }.write(to: sources)
        return try Manifest([try fixture.render(shot)], finished: finished, source: source)
    }

    func merge(_ manifests: [Manifest]) throws {
        let cluster = UUID().uuidString
        try MergeDriver(fixture, roots: ["archive": sources], cluster: cluster).run(manifests, batch: 1)
    }

    var shown: [String] { fixture.files(below: "photos").map { $0.replacing("photos/archive/", with: "") } }

    @Test("A photo is shown in every folder of its RAW, for any order of the jobs", arguments: [false, true])
    func everywhere(reversed: Bool) throws {
        let manifests = [
            try manifest(trip, at: "trip/IMG_1.CR2"), try manifest(trip, at: "best/IMG_1.CR2"),
            try manifest(trip, at: "best/other name.CR2"),
        ]
        try merge(reversed ? manifests.reversed() : manifests)
        #expect(shown == ["best/IMG_1.velvet.jpg", "best/IMG_1.CR2.velvet.jpg", "trip/IMG_1.velvet.jpg"].sorted())
        try fixture.expectConsistency("shown everywhere")
        let details = try LibraryStore(folder: fixture.libraryPath, mode: .read).assets.details(of: trip.asset)
        #expect(
            Set(details.flatMap(\.sources).map { "\($0.file.path)" })
                == ["trip/IMG_1.CR2", "best/IMG_1.CR2", "best/other name.CR2"])

        // A newer edit is also shown everywhere.
        let newer = trip.with { $0.edit = 50 }
        try merge([try manifest(newer, at: "trip/IMG_1.CR2", finished: 9)])
        #expect(shown.count == 3)
        try fixture.expectConsistency("a newer edit")
        let content = try fixture.content()
        try merge(manifests)
        #expect(try fixture.content() == content, "a repetition changes nothing")
    }

    @Test(
        "A moved RAW is shown at its new place, and a missing mount hides nothing, even with files below its mount point",
        arguments: [[], ["notes.txt", "2019/IMG_9.CR2"], ["trip/IMG_1.JPG"]])
    func moved(strays: [String]) throws {
        let first = try manifest(trip, at: "trip/IMG_1.CR2")
        try merge([first])
        try FileManager.default.removeItem(atPath: fixture.path + "/archive/trip")
        let second = try manifest(trip, at: "2024/IMG_1.CR2")
        try FileManager.default.moveItem(
            atPath: fixture.path + "/archive", toPath: fixture.path + "/unmounted")
        try FileManager.default.createDirectory(atPath: fixture.path + "/archive", withIntermediateDirectories: true)
        let below = try Root(path: fixture.path + "/archive")
        for stray in strays { _ = try below.publish(Array("stray".utf8), at: Array(stray.utf8)) }
        try MergeDriver(fixture, roots: ["archive": below]).run([second])
        #expect(shown == ["2024/IMG_1.velvet.jpg", "trip/IMG_1.velvet.jpg"])
    }

    @Test(
        "A RAW that moved to another root is shown only there if its old root is seen, or was named by an operator")
    func otherRoot() throws {
        let other = try fixture.root("other")
        let roots = ["archive": sources, "other": other]
        let raws = ["a", "b"].map { name in Shot(name, path: "trip/\(name).CR2").with { $0.root = "other" } }
        for raw in raws {
            let source = try raw.with { $0.root = "archive" }.write(to: sources)
            try merge([try Manifest([try fixture.render(raw)], finished: 1, source: source)])
        }
        func move(_ raw: Shot) throws {
            try FileManager.default.removeItem(atPath: "\(fixture.path)/archive/\(raw.path)")
            let manifest = try Manifest([try fixture.render(raw)], finished: 2, source: try raw.write(to: other))
            try MergeDriver(fixture, roots: roots, cluster: UUID().uuidString).run([manifest], batch: 1)
        }
        var shown: [String] { fixture.files(below: "photos").map { $0.replacing("photos/", with: "") } }

        try move(raws[0])
        let left = ["archive/trip/b.velvet.jpg", "other/trip/a.velvet.jpg", "other/trip/b.velvet.jpg"]
        #expect(shown == left)
        // It was the last one that the library knew there: the folder could be the one below a mount point.
        try move(raws[1])
        #expect(shown == left)
        _ = try sources.publish(Array("the archive".utf8), at: FolderSample.markPath)
        var options = LibraryPruner.Options()
        options.isDryRun = false
        let report = try LibraryPruner(
            library: fixture.libraryPath, roots: Roots(roots), options: options,
            metadataProgram: LibraryFixture.program
        ).run()
        #expect(report.sightings == 1 && report.unseenRoots.isEmpty)
        #expect(shown == ["other/trip/a.velvet.jpg", "other/trip/b.velvet.jpg"])
        try fixture.expectConsistency("all are in another root")
    }

    @Test("A path that a RAW has left is forgotten when the RAW is seen at another one")
    func renamed() throws {
        let other = try manifest(trip, at: "best/IMG_1.CR2")
        try merge([try manifest(trip, at: "trip/IMG_1.CR2"), other])
        try FileManager.default.removeItem(atPath: fixture.path + "/archive/best")
        try merge([try manifest(trip, at: "2024/IMG_1.CR2")])
        #expect(shown == ["2024/IMG_1.velvet.jpg", "trip/IMG_1.velvet.jpg"])
        try fixture.expectConsistency("one path was forgotten")
    }

    @Test("The library is rebuilt with every path while its old database can be read")
    func rebuilt() async throws {
        try merge([try manifest(trip, at: "trip/IMG_1.CR2"), try manifest(trip, at: "best/IMG_1.CR2")])
        let before = try fixture.content()
        _ = try await LibraryRebuild(library: fixture.libraryPath, readers: 1, metadataProgram: LibraryFixture.program)
            .run()
        #expect(try fixture.content() == before)
        try fixture.expectConsistency("rebuilt")
        let report = try await LibraryVerification(
            library: fixture.libraryPath, roots: Roots(["archive": sources]), checkers: 1,
            metadataProgram: LibraryFixture.program
        ).run()
        #expect(report.isClean, "\(report.findings)")
    }

    @Test("A copied RAW is shown in each of its folders")
    func copies() throws {
        let copied = trip.with { $0.isCopied = true }
        try merge([try manifest(copied, at: "trip/IMG_1.CR2"), try manifest(copied, at: "best/IMG_1.CR2")])
        #expect(
            shown == [
                "best/IMG_1.CR2", "best/IMG_1.velvet.jpg", "trip/IMG_1.CR2", "trip/IMG_1.velvet.jpg",
            ])
        try fixture.expectConsistency("RAWs everywhere")
    }
}
