import Digest
import Foundation
import Jobs
import LibraryFixtures
import Manifests
import Records
import Storage
import Testing

@testable import LibraryTables
@testable import PhotoTree
@testable import Selection
@testable import Upkeep

@Suite("Removing photos") struct RemovalTests {
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

    private func remover(onStep: @escaping (RemovalStep) throws -> Void = { _ in }) throws -> PhotoRemover {
        PhotoRemover(
            store: try LibraryStore(folder: fixture.libraryPath, mode: .write), roots: roots, onStep: onStep)
    }

    private func name(_ shot: Shot) throws -> AssetName { try #require(AssetName(shot.asset.description)) }

    private func verify(repair: Bool = false) async throws -> LibraryVerification.Report {
        try await LibraryVerification(
            library: fixture.libraryPath, roots: roots, checkers: 1, metadataProgram: LibraryFixture.program
        ).run(repair: repair)
    }

    private func isRemoved(_ shot: Shot) throws -> Bool {
        try LibraryStore(folder: fixture.libraryPath, mode: .read).tables.removed
            .contains(shot.asset, recipe: shot.recipe.id)
    }

    @Test("A photo goes with its rows, names and files; the others stay, and so does its RAW outside the library")
    func removed() async throws {
        try merge(first, second)
        let plan = try remover().plan([try name(first)])
        #expect(plan.photos.map(\.key) == [first.key])
        #expect(plan.photos.first?.shownAt.map(\.description) == ["photos/archive/trip/IMG_1.velvet.jpg"])
        #expect(fixture.files(below: "photos").count == 2, "a plan removes nothing")
        #expect(try remover().remove(plan).isEmpty)
        #expect(fixture.files(below: "photos") == ["photos/archive/trip/IMG_2.velvet.jpg"])
        #expect(fixture.files(below: "objects") == ["\(LibraryLayout.photo(second.key))"])
        #expect(try sources.factsIfPresent(of: first.original.file.path.bytes) != nil)
        try fixture.expectConsistency("one photo was removed")
        #expect(try await verify().findings.isEmpty)
        #expect(try isRemoved(first) && !isRemoved(second))
    }

    @Test("The removed photos are reported to the coordinator")
    func told() throws {
        try merge(first)
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .write)
        let before = try store.tables.results.next(limit: .max).last?.number ?? 0
        let remover = PhotoRemover(store: store, roots: roots)
        _ = try remover.remove(try remover.plan([try name(first)]))
        let records = try store.tables.results.next(after: before, limit: .max).map {
            try JobResults(record: $0.record)
        }
        #expect(records.flatMap(\.removed) == [RemovedPhoto(asset: first.asset, recipe: first.recipe.id)])
        #expect(try store.tables.removed.all() == [RemovedPhoto(asset: first.asset, recipe: first.recipe.id)])
    }

    @Test("Rendered again, a photo is in the library as if it had never been removed")
    func renderedAgain() async throws {
        try merge(first)
        let content = try fixture.content()
        do {
            let remover = try remover()
            _ = try remover.remove(try remover.plan([try name(first)]))
        }
        #expect(try fixture.content() != content)
        try merge(first)
        #expect(try fixture.content() == content)
        #expect(try !isRemoved(first))
        #expect(try await verify().findings.isEmpty)
    }

    @Test("Removed by path, a photo takes the edits that it hides with it, and other looks stay")
    func byPath() throws {
        let sepia = first.with { $0.look = "sepia" }
        try merge(first.with { $0.edit = 5 }, sepia)
        try fixture.merge([try Manifest([try fixture.render(first)], finished: 9)])
        let path = try #require(RelativePath("photos/archive/trip/IMG_1.velvet.jpg"))
        let plan = try remover().plan([.path(path)])
        #expect(plan.photos.count == 2)
        #expect(try remover().remove(plan).isEmpty)
        #expect(fixture.files(below: "photos") == ["photos/archive/trip/IMG_1.sepia.jpg"])
        try fixture.expectConsistency("a look was removed")
        #expect(try remover().plan([try name(first)], look: "velvet").photos.isEmpty)
    }

    @Test("Without the shown edit, the newest of the others is shown again")
    func shownEdit() throws {
        let older = first.with { $0.edit = 5 }
        try merge(older)
        try fixture.merge([try Manifest([try fixture.render(first)], finished: 9)])
        let remover = try remover()
        _ = try remover.remove(try remover.plan([.path(LibraryLayout.photo(first.key))]))
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .read)
        var shown: [RenditionKey] = []
        try store.photos.each { shown.append($0.key) }
        #expect(shown == [older.key])
    }

    @Test("A RAW that is only in the library stays with its photos, unless its own flag is given")
    func onlyOriginal() async throws {
        let copied = first.with { $0.isCopied = true }
        try merge(copied, second)
        let remover = try remover()
        let careful = try remover.plan([try name(copied)])
        #expect(careful.photos.isEmpty && careful.kept.map(\.asset) == [copied.asset])
        _ = try remover.remove(careful)
        #expect(fixture.files(below: "photos").count == 3)
        let plan = try remover.plan([try name(copied)], withOriginals: true)
        #expect(plan.originals.map(\.asset) == [copied.asset])
        #expect(try remover.remove(plan).isEmpty)
        #expect(fixture.files(below: "photos") == ["photos/archive/trip/IMG_2.velvet.jpg"])
        #expect(!fixture.files(below: "objects").contains { $0.hasSuffix(".CR2") })
        #expect(try await verify().findings.isEmpty)
    }

    @Test("A copy goes with its photo if the RAW is also outside the library, byte for byte")
    func copyElsewhere() throws {
        let copied = first.with { $0.isCopied = true }
        _ = try copied.write(to: sources)
        let manifest = try Manifest([try fixture.render(copied)], finished: 1, originals: .copy)
        try fixture.merge([manifest])
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .write)
        try store.transaction {
            try store.merge(
                Sighting(raw: manifest.source.raw, photoBase: manifest.source.photoBase), of: copied.asset
            ) { _ in false }
        }
        let remover = PhotoRemover(store: store, roots: roots)
        #expect(try remover.plan([try name(copied)]).kept.isEmpty)
        _ = try sources.publish(Array("another RAW".utf8), at: copied.original.file.path.bytes, existing: .replace)
        #expect(try remover.plan([try name(copied)]).kept.count == 1)
    }

    @Test("A photo edited in photos/, and a changed object, stay, and are reported")
    func changed() async throws {
        try merge(first)
        let photo = "\(fixture.libraryPath)/photos/archive/trip/IMG_1.velvet.jpg"
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: photo))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("a rating".utf8))
        try handle.close()
        let object = LibraryLayout.photo(first.key)
        _ = try fixture.library.publish(Array("rotten".utf8), at: object.bytes, existing: .replace)
        let remover = try remover()
        let kept = try remover.remove(try remover.plan([try name(first)]))
        let shown = try #require(RelativePath("photos/archive/trip/IMG_1.velvet.jpg"))
        #expect(kept == [shown, object])
        #expect(FileManager.default.fileExists(atPath: photo))
        // It is the user's own from now on, not an unknown file.
        let report = try await verify()
        #expect(report.findings == [.unknownObject: 1] && report.peoples == 1)
        #expect(fixture.files(below: "objects") == ["\(object)"])
    }

    @Test("Killed at any step, a removal leaves a library that verify judges and repair fixes")
    func killed() async throws {
        struct Killed: Error {}
        var steps = 1
        while true {
            let run = try RemovalTests()
            let copied = run.second.with { $0.isCopied = true }
            try run.merge(run.first, copied)
            var step = 0
            do {
                let remover = try run.remover { _ in
                    step += 1
                    if step == steps { throw Killed() }
                }
                _ = try remover.remove(
                    try remover.plan([try run.name(run.first), try run.name(copied)], withOriginals: true))
            } catch is Killed {
                let found = try await run.verify().findings.keys
                #expect(
                    found.allSatisfy { [.unfinishedRemoval, .unfinishedLink, .unknownPhoto].contains($0) }, "\(found)")
                _ = try await run.verify(repair: true)
                #expect(try await run.verify().findings.isEmpty, "step \(steps)")
                let isUndone = steps == 1
                #expect(run.fixture.files(below: "photos").count == (isUndone ? 3 : 0), "step \(steps)")
                #expect(run.fixture.files(below: "objects").count == (isUndone ? 3 : 0), "step \(steps)")
                steps += 1
                continue
            }
            break
        }
        #expect(steps > 6)
    }

    @Test("A rebuild does not restore photos that were removed before their files were deleted")
    func rebuilt() async throws {
        struct Killed: Error {}
        try merge(first, second)
        #expect(throws: Killed.self) {
            let remover = try remover { if $0 == .committed { throw Killed() } }
            _ = try remover.remove(try remover.plan([try name(first)]))
        }
        _ = try await LibraryRebuild(library: fixture.libraryPath, readers: 1, metadataProgram: LibraryFixture.program)
            .run()
        #expect(fixture.files(below: "photos") == ["photos/archive/trip/IMG_2.velvet.jpg"])
        #expect(try isRemoved(first))
        _ = try await verify(repair: true)
        #expect(fixture.files(below: "objects") == ["\(LibraryLayout.photo(second.key))"])
    }
}
