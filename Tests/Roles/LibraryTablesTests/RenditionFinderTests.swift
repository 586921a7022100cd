import Digest
import Jobs
import LibraryFixtures
import Manifests
import PostgreSQLServer
import Selection
import Testing

@testable import LibraryTables
@testable import PhotoTree

@Suite("Renditions known only by their key") struct RenditionFinderTests {
    private static let shots = (0..<20).map { Shot("raw \($0)", path: "IMG_\($0).CR2") }

    private func merge(_ shots: [Shot], at time: Int, into fixture: LibraryFixture) throws {
        try fixture.merge(try shots.map { try Manifest([try fixture.render($0)], finished: Int64(time)) })
    }

    @Test(
        "are found, including later ones of new and known RAWs, until they are removed",
        arguments: LibraryFixture.BackEnd.here)
    func found(on backEnd: LibraryFixture.BackEnd) throws {
        let fixture = try LibraryFixture(on: backEnd)
        try merge(Array(Self.shots[..<15]), at: 1, into: fixture)
        // Two stores share a finder, like the readers of a page.
        let finder = RenditionFinder()
        let stores = try (0..<2).map { _ in
            try LibraryStore(folder: fixture.libraryPath, mode: .read, finder: finder)
        }
        func expect(_ shots: [Shot], _ missing: [Shot]) throws {
            for store in stores {
                for shot in shots { #expect(try store.rendition(named: shot.key.digest)?.id == shot.id) }
                for shot in missing { #expect(try store.rendition(named: shot.key.digest) == nil) }
                let digests = Set((shots + missing).map(\.key.digest))
                #expect(try store.tables.files.renditions(named: digests) == Set(shots.map(\.id)))
            }
        }
        try expect(Array(Self.shots[..<15]), Array(Self.shots[15...]))
        try merge(Array(Self.shots[15...]), at: 2, into: fixture)
        try expect(Self.shots, [])

        let edited = Self.shots[..<5].map { shot in shot.with { $0.look = "mono" } }
        try merge(edited, at: 3, into: fixture)
        try expect(Self.shots + edited, [])

        do {
            let store = try LibraryStore(folder: fixture.libraryPath, mode: .change)
            try store.transaction {
                try store.tables.renditions.remove(try #require(try store.tables.renditions.record(Self.shots[0].id)))
            }
        }
        try expect(Array(Self.shots[1...]) + edited, [Self.shots[0]])
    }

    @Test("are not searched again while nothing was written", arguments: LibraryFixture.BackEnd.here)
    func unchanged(on backEnd: LibraryFixture.BackEnd) throws {
        // A server only knows that any of its databases was written, and other tests write to the shared one's.
        let server = backEnd == .server ? try PostgreSQLServer() : nil
        defer { withExtendedLifetime(server) {} }
        let fixture = try LibraryFixture(on: backEnd, of: server)
        try merge(Array(Self.shots[..<10]), at: 1, into: fixture)
        let finder = RenditionFinder()
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .read, finder: finder)
        for _ in 0..<3 {
            for shot in Self.shots[..<10] { #expect(try store.rendition(named: shot.key.digest) != nil) }
            for shot in Self.shots[10...] { #expect(try store.rendition(named: shot.key.digest) == nil) }
        }
        #expect(finder.readCount == 1)
        let edited = Self.shots[0].with { $0.look = "mono" }
        try merge([edited], at: 2, into: fixture)
        #expect(try store.rendition(named: edited.key.digest)?.id == edited.id)
        #expect(finder.readCount == 2)

        // A transaction finds its own writes.
        let writer = try LibraryStore(folder: fixture.libraryPath, mode: .change, finder: finder)
        try writer.transaction {
            let again = Self.shots[1].with { $0.look = "mono" }
            #expect(try writer.rendition(named: again.key.digest) == nil)
            let record = try RenditionRecord(try fixture.render(again))
            _ = try writer.merge(record, finished: 3)
            #expect(try writer.rendition(named: again.key.digest)?.id == again.id)
        }
    }

    @Test("are found by the beginnings of keys that users type", arguments: LibraryFixture.BackEnd.here)
    func beginnings(on backEnd: LibraryFixture.BackEnd) throws {
        let fixture = try LibraryFixture(on: backEnd)
        try merge(Self.shots, at: 1, into: fixture)
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .read)
        for shot in Self.shots {
            for count in [12, 63, 64] {
                let digits = String(shot.key.digest.description.prefix(count))
                #expect(try store.tables.renditions.assets(beginning: digits) == [shot.asset])
            }
        }
        #expect(try store.tables.renditions.assets(beginning: String(repeating: "0", count: 64)).isEmpty)
    }

    @Test("All renditions are listed in pages, each once", arguments: LibraryFixture.BackEnd.here)
    func pages(on backEnd: LibraryFixture.BackEnd) throws {
        let fixture = try LibraryFixture(on: backEnd)
        let looks = ["velvet", "mono", "neutral"]
        for look in looks { try merge(Self.shots.map { shot in shot.with { $0.look = look } }, at: 1, into: fixture) }
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .read)
        for limit in [1, 4, 7, 1000] {
            var (files, origins): ([RenditionID], [RenditionID]) = ([], [])
            while case let page = try store.tables.files.renditionFiles(after: files.last, limit: limit), !page.isEmpty
            {
                files += page.map(\.id)
            }
            while case let page = try store.tables.files.renditionOrigins(after: origins.last, limit: limit),
                !page.isEmpty
            {
                origins += page.map(\.id)
            }
            #expect(files == origins)
            #expect(files.count == 60 && Set(files).count == 60)
        }
    }
}
