import Database
import LibraryFixtures
import LibraryTables
import Manifests
import PhotoTree
import Selection
import Testing
import Upkeep

@Suite("Facts of EXIF in a library") struct FactTests {
    private let fixture: LibraryFixture

    init() throws {
        fixture = try LibraryFixture()
        for (number, lens) in ["RF24-70mm F2.8 L IS USM", "EF50mm f/1.8", nil].enumerated() {
            let shot = Shot("raw \(number)", path: "IMG_\(number).CR2").with { shot in
                shot.lensName = lens
                shot.iso = lens == nil ? nil : UInt16(400 << (2 * number))
            }
            try fixture.merge([try Manifest([try fixture.render(shot)], finished: Int64(number + 1))])
        }
    }

    private func lenses(_ condition: String) throws -> [String?] {
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .read)
        var found: [String?] = []
        try store.photos.each(PhotoFilter(selection: try Selection(condition))) { found.append($0.lensName) }
        return found
    }

    @Test("Photos are found by their lens, and keep it when the library is rebuilt from its files")
    func lens() async throws {
        for round in 0..<2 {
            #expect(try lenses("lens like '%rf24%'") == ["RF24-70mm F2.8 L IS USM"])
            #expect(try lenses("lens = 'EF50mm F/1.8'") == ["EF50mm f/1.8"])
            #expect(try lenses("lens is null") == [nil])
            #expect(try lenses("not lens like 'rf%'") == ["EF50mm f/1.8", nil])
            #expect(try lenses("iso >= 1600") == ["EF50mm f/1.8"])
            #expect(try lenses("iso < 1600") == ["RF24-70mm F2.8 L IS USM"])
            #expect(try lenses("iso is null") == [nil])
            #expect(try lenses("not iso >= 1600") == ["RF24-70mm F2.8 L IS USM", nil])
            guard round == 0 else { break }
            try fixture.loseDatabase()
            _ = try await LibraryRebuild(
                library: fixture.libraryPath, readers: 2, metadataProgram: LibraryFixture.program
            ).run()
        }
    }

    @Test("Rows of an earlier version lack them, and count as incomplete")
    func earlierRows() throws {
        try fixture.loseExifFacts()
        do { _ = try LibraryStore(folder: fixture.libraryPath, mode: .write) }
        #expect(try lenses("lens is null") == [nil, nil, nil])
        let rescan = try PhotoRescan(library: fixture.libraryPath, mode: .read)
        let page = try #require(try rescan.page(nil, after: nil, limit: 10))
        let incomplete = page.photos.filter(\.isIncomplete).count
        #expect(incomplete == 3)
        let shot = Shot("raw", path: "NEW.CR2").with { $0.lensName = "RF35" }
        try fixture.merge([try Manifest([try fixture.render(shot)], finished: 9)])
        #expect(try lenses("lens = 'rf35'") == ["RF35"])
    }
}
