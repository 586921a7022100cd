import Foundation
import Jobs
import Library
import Manifests
import Storage
import Synchronization
import Testing

@testable import Catalogue

@Suite("Rebuilding a library") struct RebuildTests {
    let folder: TestFolder
    let darkroom: CatalogueFixture
    let merging: Merging
    let sources: Root

    init() throws {
        folder = try TestFolder()
        darkroom = try CatalogueFixture(folder)
        sources = try folder.root("archive")
        merging = Merging(folder: folder, roots: Roots(["archive": sources]))
    }

    var database: String { folder.library + "/library.sqlite" }

    @Test("gives the content of the library it replaces, and keeps its offsets")
    func equality() async throws {
        try merging.run(try variedManifests(darkroom, sources: sources))
        let before = try content(of: folder.library)
        let report = try await LibraryRebuild(library: folder.library, readers: 2).run()
        #expect(try content(of: folder.library) == before)
        #expect(report.keepsOffsets && report.unknownFiles == 0 && report.missingPreviews == 0)
        #expect(try LibraryStore(folder: folder.library, mode: .read).offsets(of: merging.topic) == [0: 12])
        try expectRowsAndFilesToAgree(folder, "rebuilt")
    }

    @Test("gives the same without the old database, and with a damaged one", arguments: [false, true])
    func withoutOld(isDamaged: Bool) async throws {
        let manifests = try variedManifests(darkroom, sources: sources)
        try merging.run(manifests)
        let before = try content(of: folder.library)
        try FileManager.default.removeItem(atPath: database)
        if isDamaged { try Data(repeating: 42, count: 10_000).write(to: URL(fileURLWithPath: database)) }
        let report = try await LibraryRebuild(library: folder.library, readers: 3).run()
        #expect(try content(of: folder.library) == before)
        #expect(!report.keepsOffsets)
        try expectRowsAndFilesToAgree(folder, "rebuilt without the old one")

        try merging.run(manifests.shuffled())
        #expect(try content(of: folder.library) == before, "every manifest once more")
    }

    @Test("what photos/ shows stays shown, even where an older edit is")
    func shownStays() async throws {
        let shot = CatalogueFixture.Shot("a", path: "IMG_1.CR2")
        let newer = try Manifest([try darkroom.develop(shot.with { $0.quality = 50 })], finished: 2000)
        let older = try Manifest([try darkroom.develop(shot)], finished: 1000)
        // The older one's file is the younger file here.
        try merging.run([older, newer])
        let before = try content(of: folder.library)
        try FileManager.default.removeItem(atPath: database)
        _ = try await LibraryRebuild(library: folder.library, readers: 1).run()
        #expect(try content(of: folder.library) == before)
    }

    @Test("a missing preview, a damaged photo and a foreign file are named; the rest is rebuilt")
    func damage() async throws {
        let whole = try darkroom.develop(CatalogueFixture.Shot("a", path: "IMG_1.CR2"))
        let halved = try darkroom.develop(CatalogueFixture.Shot("b", path: "IMG_2.CR2"))
        let other = try darkroom.develop(CatalogueFixture.Shot("c", path: "IMG_3.CR2"))
        try FileManager.default.removeItem(atPath: "\(folder.library)/\(whole.preview.path)")
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(folder.library)/\(halved.photo.path)"))
        try handle.truncate(atOffset: 60)
        let lying = LibraryLayout.photo(RenditionKey(digest: other.asset))
        _ = try darkroom.library.link(other.photo.path.bytes, at: lying.bytes)
        try Data("x".utf8).write(to: URL(fileURLWithPath: folder.library + "/objects/notes.txt"))

        let problems = Mutex<[String]>([])
        let report = try await LibraryRebuild(library: folder.library, readers: 2).run(onProblem: { problem in
            problems.withLock { $0.append("\(problem.path)") }
        })
        #expect(report.renditions == 2 && report.missingPreviews == 1 && report.unknownFiles == 3)
        #expect(
            Set(problems.withLock { $0 }) == [
                "\(whole.preview.path)", "\(halved.photo.path)", "\(lying)", "objects/notes.txt",
            ])
        try expectRowsAndFilesToAgree(folder, "rebuilt from what is left")
    }

    @Test("is refused while a cataloguer writes, and for a newer library, which stays as it is")
    func refusals() async throws {
        try merging.run(try variedManifests(darkroom, sources: sources))
        do {
            let writer = try LibraryStore(folder: folder.library, mode: .write)
            let error = await #expect(throws: LibraryError.self) {
                try await LibraryRebuild(library: folder.library, readers: 1).run()
            }
            #expect(error?.kind == .busy)
            withExtendedLifetime(writer) {}
        }
        try makeNewer(database)
        let error = await #expect(throws: LibraryError.self) {
            try await LibraryRebuild(library: folder.library, readers: 1).run()
        }
        #expect(error?.kind == .newer)
        #expect(throws: LibraryError.self) { try LibraryStore(folder: folder.library, mode: .write) }
        #expect(throws: LibraryError.self) { try LibraryStore(folder: folder.library, mode: .read) }
    }

    @Test("a folder without a library says so")
    func noLibrary() async throws {
        let missing = await #expect(throws: LibraryError.self) {
            try await LibraryRebuild(library: folder.path + "/nowhere", readers: 1).run()
        }
        #expect(missing?.kind == .notFound)
        let empty = #expect(throws: LibraryError.self) { try LibraryStore(folder: folder.path, mode: .read) }
        #expect(empty?.kind == .notFound)
    }
}
