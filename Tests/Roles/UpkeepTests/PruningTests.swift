import Foundation
import Jobs
import LibraryFixtures
import Manifests
import Records
import Storage
import Testing

@testable import LibraryTables
@testable import PhotoTree
@testable import Upkeep

@Suite("Pruning a library") struct PruningTests {
    let fixture: LibraryFixture
    let sources: Root
    let roots: Roots
    let first = Shot("a", path: "trip/IMG_1.CR2")
    let second = Shot("b", path: "trip/IMG_2.CR2")

    init() throws {
        fixture = try LibraryFixture()
        sources = try fixture.root("archive")
        roots = Roots(["archive": sources])
    }

    private func merge(_ shots: Shot...) throws {
        for shot in shots where !shot.isCopied { _ = try shot.write(to: sources) }
        try fixture.merge(try shots.map { try Manifest([try fixture.render($0)], finished: 1) })
    }

    private func verify() async throws -> LibraryVerification.Report {
        try await LibraryVerification(
            library: fixture.libraryPath, roots: roots, checkers: 1, metadataProgram: LibraryFixture.program
        ).run()
    }

    private func prune(
        roots: Roots? = nil, _ change: (inout LibraryPruner.Options) -> Void
    ) throws -> LibraryPruner.Report {
        var options = LibraryPruner.Options()
        options.isDryRun = false
        change(&options)
        return try LibraryPruner(
            library: fixture.libraryPath, roots: roots ?? self.roots, options: options,
            metadataProgram: LibraryFixture.program
        ).run()
    }

    @Test("Pruning frees leftovers, and hidden edits on request, after announcing them, and nothing else")
    func pruned() async throws {
        try merge(first.with { $0.edit = 5 }, second.with { $0.isCopied = true })
        try fixture.merge([try Manifest([try fixture.render(first)], finished: 9)])
        let lost = Shot("lost", path: "trip/IMG_3.CR2")
        _ = try fixture.render(lost)
        let mine = "\(fixture.libraryPath)/objects/notes.txt"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: mine))
        let half = "\(fixture.libraryPath)/photos/archive/.rawmill-1f.tmp"
        try Data("half".utf8).write(to: URL(fileURLWithPath: half))
        let before = fixture.files(below: "objects") + fixture.files(below: "photos")

        let planned = try prune {
            $0.isDryRun = true
            $0.superseded = true
        }
        #expect(planned.unknown == 2 && planned.superseded == 1 && planned.temporaries == 1 && planned.bytes > 0)
        #expect(fixture.files(below: "objects") + fixture.files(below: "photos") == before)
        #expect(try prune { $0.unknown = false }.unknown == 0)
        #expect(fixture.files(below: "objects").contains("\(LibraryLayout.photo(lost.key))"))

        let done = try prune { $0.superseded = true }
        #expect(done.unknown == 2 && done.superseded == 1 && done.bytes > 0)
        #expect(!FileManager.default.fileExists(atPath: half))
        #expect(FileManager.default.fileExists(atPath: mine))
        #expect(fixture.files(below: "objects").count == 4, "two photos, a RAW and a user's file")
        #expect(try prune { $0.superseded = true }.isEmpty)
        try FileManager.default.removeItem(atPath: mine)
        #expect(try await verify().findings.isEmpty)
    }

    @Test("A path that a RAW has left is forgotten, even if the photo itself names it: it is shown at the other one")
    func leftPath() async throws {
        try merge(first, second)
        let named = "photos/archive/trip/IMG_1.velvet.jpg"
        let left = "photos/archive/album/IMG_1.velvet.jpg"
        let copy = first.with { $0.path = "album/IMG_1.CR2" }
        try saw(first, copy)
        #expect(Set(fixture.files(below: "photos")).isSuperset(of: [named, left]))
        #expect(try prune { $0.isDryRun = true }.sightings == 0)

        try FileManager.default.removeItem(atPath: "\(sources.path)/trip/IMG_1.CR2")
        #expect(try prune { $0.isDryRun = true }.sightings == 1)
        #expect(fixture.files(below: "photos").contains(named))
        #expect(try prune { _ in }.sightings == 1)
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .read)
        let told = try store.tables.results.next(limit: 10).map { try JobResults(record: $0.record) }
        #expect(told.flatMap(\.forgotten) == [first.original.file], "the coordinator is told")
        let others = ["photos/archive/trip/IMG_2.velvet.jpg"]
        #expect(fixture.files(below: "photos") == [left] + others)
        #expect(try prune { _ in }.isEmpty)
        #expect(try await verify().findings.isEmpty)
        // The other photo is untouched, and this one keeps its bytes.
        try fixture.expectConsistency("a path was pruned")

        _ = try await LibraryRebuild(library: fixture.libraryPath, readers: 1, metadataProgram: LibraryFixture.program)
            .run()
        #expect(fixture.files(below: "photos") == [left] + others)
        // The file is back at its path, and is converted there.
        try saw(first)
        #expect(fixture.files(below: "photos") == [left, named] + others)
    }

    @Test(
        "A path in an unmounted root stays, even with files below the mount point",
        arguments: [false, true])
    func unmounted(isStray: Bool) throws {
        try merge(first, second)
        try saw(first, first.with { $0.path = "album/IMG_1.CR2" })
        let shown = fixture.files(below: "photos")
        try FileManager.default.removeItem(atPath: "\(sources.path)/trip/IMG_1.CR2")
        try FileManager.default.moveItem(atPath: sources.path, toPath: sources.path + "-elsewhere")
        let below = try fixture.root("archive")
        if isStray { _ = try below.publish(Array("stray".utf8), at: Array("notes.txt".utf8)) }
        let report = try prune(roots: Roots(["archive": below])) { _ in }
        #expect(report.isEmpty && report.unseenRoots.map(\.text) == ["archive"])
        #expect(fixture.files(below: "photos") == shown)

        try FileManager.default.removeItem(atPath: sources.path)
        try FileManager.default.moveItem(atPath: sources.path + "-elsewhere", toPath: sources.path)
        let mounted = try prune { _ in }
        #expect(mounted.sightings == 1 && mounted.unseenRoots.isEmpty)
    }

    /// Records that the RAW is at the paths of the shots.
    private func saw(_ shots: Shot...) throws {
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .write)
        try store.transaction {
            for shot in shots {
                let sighting = Sighting(raw: try shot.write(to: sources), photoBase: Array(shot.base.utf8))
                try store.merge(sighting, of: shot.asset) { _ in false }
            }
        }
        try store.links.updatePending()
        try store.transaction { try store.links.clearPending() }
    }
}
