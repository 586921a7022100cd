import Albums
import Digest
import ExternalTools
import Jobs
import LibraryFixtures
import LibraryTables
import Manifests
import PhotoTree
import Revisions
import Selection
import Storage
import Telemetry
import Testing

@testable import Catalogue

/// Changes to a library beside its cataloguers.
@Suite("A short writer beside cataloguers", .needs(.postgreSQL)) struct ShortWriterTests {
    @Test("takes no share of the cataloguers' work, and is refused while a process needs the library alone")
    func share() throws {
        let fixture = try LibraryFixture(on: .server)
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .share)
        #expect(try store.share() == (0, 1))
        let visitor = try LibraryStore(folder: fixture.libraryPath, mode: .visit)
        #expect(try store.share() == (0, 1))
        let second = try LibraryStore(folder: fixture.libraryPath, mode: .share)
        #expect(Set([try store.share().number, try second.share().number]) == [0, 1])
        #expect(try second.share().count == 2)
        try visitor.albums.create("best")
        #expect(throws: LibraryError.self) { _ = try LibraryStore(folder: fixture.libraryPath, mode: .change) }
    }

    @Test("moves photos between two batches, and a newer order is shown instead of its choice")
    func moves() throws {
        let fixture = try LibraryFixture(on: .server)
        let archive = try fixture.root("archive")
        let shot = Shot("a", path: "2019/IMG_1.CR2")
        let edited = shot.with { $0.edit = 5 }
        let newest = shot.with { $0.edit = 9 }
        let store = try LibraryStore(
            folder: fixture.libraryPath, mode: .share, metadataProgram: LibraryFixture.program)
        let topic = MergeDriver(fixture).topic
        let merger = BatchMerger(store: store, topic: topic, roots: Roots(["archive": archive]), log: .silent) { _ in }
        try merger.recover()
        var offset: Int64 = 0
        func merge(_ manifest: Manifest) throws {
            _ = try merger.merge(MergeDriver.deliveries([manifest], of: topic, from: offset), next: [0: offset + 1])
            offset += 1
        }
        func shown() throws -> String? {
            let reviser = try PhotoReviser(library: fixture.libraryPath, mode: .read)
            return try reviser.photos([.prefix(shot.asset.description)]).first.flatMap {
                $0.history[$0.history.current]?.key.description
            }
        }
        try merge(try Manifest([try fixture.render(shot)], finished: 1000))
        try merge(try Manifest([try fixture.render(edited)], finished: 0, isHeld: true))
        #expect(try shown() == shot.key.description)
        do {
            let reviser = try PhotoReviser(library: fixture.libraryPath, mode: .visit)
            let photos = try reviser.photos([.prefix(shot.asset.description)])
            #expect(try reviser.show(photos.map { ($0, edited.key) }).count == 1)
        }
        #expect(try shown() == edited.key.description)
        // Read again, the older order changes nothing; a newer one is shown.
        try merge(try Manifest([try fixture.render(shot)], finished: 1000))
        #expect(try shown() == edited.key.description)
        try merge(try Manifest([try fixture.render(newest)], finished: 5000))
        #expect(try shown() == newest.key.description)
        try merger.removeNotes()
        try fixture.expectConsistency("after a visit")
    }
}
