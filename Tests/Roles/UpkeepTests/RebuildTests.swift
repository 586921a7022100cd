import Database
import Foundation
import Jobs
import LibraryFixtures
import LibraryTables
import Manifests
import PhotoTree
import PictureFormat
import Storage
import Synchronization
import Testing
import Upkeep

@Suite("Rebuilding a library") struct RebuildTests {
    let fixture: LibraryFixture
    let sources: Root

    init() throws {
        fixture = try LibraryFixture()
        sources = try fixture.root("archive")
    }

    @Test("The new database has the content of the old one, and its offsets")
    func equality() async throws {
        try fixture.merge(try fixture.variedManifests(sources: sources))
        let topic = ConsumedTopic(cluster: "test", topic: "manifests")
        do {
            let store = try LibraryStore(folder: fixture.libraryPath, mode: .write)
            try store.transaction { try store.tables.offsets.advance(topic, partition: 0, to: 12) }
        }
        let before = try fixture.content()
        let report = try await LibraryRebuild(
            library: fixture.libraryPath, readers: 2, metadataProgram: LibraryFixture.program
        ).run()
        #expect(try fixture.content() == before)
        #expect(report.keepsOffsets && report.unknownFiles == 0 && report.missingPreviews == 0)
        #expect(try LibraryStore(folder: fixture.libraryPath, mode: .read).tables.offsets.next(of: topic) == [0: 12])
        try fixture.expectConsistency("rebuilt")
    }

    @Test("The content is the same without the old database, and with a damaged one", arguments: [false, true])
    func withoutOld(isDamaged: Bool) async throws {
        let manifests = try fixture.variedManifests(sources: sources)
        try fixture.merge(manifests)
        let before = try fixture.content()
        if isDamaged { try fixture.damageDatabase() } else { try fixture.loseDatabase() }
        let report = try await LibraryRebuild(
            library: fixture.libraryPath, readers: 3, metadataProgram: LibraryFixture.program
        ).run()
        #expect(try fixture.content() == before)
        #expect(!report.keepsOffsets)
        #expect((report.damage != nil) == isDamaged)
        try fixture.expectConsistency("rebuilt without the old one")

        try fixture.merge(manifests.shuffled())
        #expect(try fixture.content() == before, "every manifest once more")
    }

    @Test("An interrupted rebuild leaves the old database, and nothing beside it")
    func unfinished() async throws {
        try fixture.merge(try fixture.variedManifests(sources: sources))
        let before = try fixture.content()
        let rebuild = LibraryRebuild(library: fixture.libraryPath, readers: 2, metadataProgram: LibraryFixture.program)
        let running = Task {
            try await rebuild.run(onProgress: { _ in withUnsafeCurrentTask { unsafe $0?.cancel() } })
        }
        await #expect(throws: CancellationError.self) { _ = try await running.value }
        #expect(try fixture.content() == before)
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.libraryPath)
        #expect(!names.contains { $0.contains("rebuild") }, "\(names)")
    }

    @Test("The edit that photos/ shows stays the current one, even if it is the older one")
    func shownStays() async throws {
        let shot = Shot("a", path: "IMG_1.CR2")
        let newer = try Manifest([try fixture.render(shot.with { $0.edit = 50 })], finished: 2000)
        let older = try Manifest([try fixture.render(shot)], finished: 1000)
        // The rendition that was finished first has the file that was written last.
        try fixture.merge([older, newer])
        let before = try fixture.content()
        try fixture.loseDatabase()
        _ = try await LibraryRebuild(library: fixture.libraryPath, readers: 1, metadataProgram: LibraryFixture.program)
            .run()
        #expect(try fixture.content() == before)
    }

    @Test("A missing preview, a damaged photo and a foreign file are reported, and the rest is rebuilt")
    func damage() async throws {
        let whole = try fixture.render(Shot("a", path: "IMG_1.CR2"))
        let halved = try fixture.render(Shot("b", path: "IMG_2.CR2"))
        let other = try fixture.render(Shot("c", path: "IMG_3.CR2"))
        try FileManager.default.removeItem(atPath: "\(fixture.libraryPath)/\(whole.preview.path)")
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(fixture.libraryPath)/\(halved.photo.path)"))
        try handle.truncate(atOffset: 60)
        let lying = LibraryLayout.photo(RenditionKey(digest: other.asset, format: .jpeg))
        _ = try fixture.library.link(other.photo.path.bytes, at: lying.bytes)
        try Data("x".utf8).write(to: URL(fileURLWithPath: fixture.libraryPath + "/objects/notes.txt"))

        let problems = Mutex<[String]>([])
        let report = try await LibraryRebuild(
            library: fixture.libraryPath, readers: 2, metadataProgram: LibraryFixture.program
        ).run(onProblem: { problem in
            problems.withLock { $0.append("\(problem.path)") }
        })
        #expect(report.renditions == 2 && report.missingPreviews == 1 && report.unknownFiles == 3)
        #expect(
            Set(problems.withLock { $0 }) == [
                "\(whole.preview.path)", "\(halved.photo.path)", "\(lying)", "objects/notes.txt",
            ])
        try fixture.expectConsistency("rebuilt from what is left")
    }

    @Test("A rebuild is refused while another process writes, and for a newer library, which stays unchanged")
    func refusals() async throws {
        try fixture.merge(try fixture.variedManifests(sources: sources))
        do {
            let writer = try LibraryStore(folder: fixture.libraryPath, mode: .write)
            let error = await #expect(throws: LibraryError.self) {
                try await LibraryRebuild(
                    library: fixture.libraryPath, readers: 1, metadataProgram: LibraryFixture.program
                ).run()
            }
            #expect(error?.kind == .busy)
            withExtendedLifetime(writer) {}
        }
        // As written by a later version.
        try fixture.makeDatabaseNewer()
        let error = await #expect(throws: LibraryError.self) {
            try await LibraryRebuild(library: fixture.libraryPath, readers: 1, metadataProgram: LibraryFixture.program)
                .run()
        }
        #expect(error?.kind == .newer)
        #expect(throws: LibraryError.self) { try LibraryStore(folder: fixture.libraryPath, mode: .write) }
        #expect(throws: LibraryError.self) { try LibraryStore(folder: fixture.libraryPath, mode: .read) }
    }

    /// New tables would lack albums and histories, without any report.
    @Test("A repair creates no tables if they are lost")
    func repairWithoutTables() async throws {
        try fixture.merge(try fixture.variedManifests(sources: sources))
        try fixture.loseDatabase()
        await #expect(throws: LibraryError.self) {
            try await LibraryVerification(
                library: fixture.libraryPath, roots: Roots([:]), checkers: 1, metadataProgram: LibraryFixture.program
            ).run(repair: true)
        }
        #expect(!FileManager.default.fileExists(atPath: fixture.libraryPath + "/library.sqlite"))
    }

    @Test("A folder without a library is not found")
    func noLibrary() async throws {
        let missing = await #expect(throws: LibraryError.self) {
            try await LibraryRebuild(
                library: fixture.path + "/nowhere", readers: 1, metadataProgram: LibraryFixture.program
            ).run()
        }
        #expect(missing?.kind == .notFound)
        let empty = #expect(throws: LibraryError.self) { try LibraryStore(folder: fixture.path, mode: .read) }
        #expect(empty?.kind == .notFound)
    }
}
