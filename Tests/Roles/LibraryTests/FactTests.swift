import Database
import Library
import LibraryFixtures
import Manifests
import Testing

@Suite("Facts of EXIF in a library") struct FactTests {
    private let fixture: LibraryFixture

    init() throws {
        fixture = try LibraryFixture()
        for (number, lens) in ["RF24-70mm F2.8 L IS USM", "EF50mm f/1.8", nil].enumerated() {
            let shot = Shot("raw \(number)", path: "IMG_\(number).CR2").with { $0.lensName = lens }
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
            guard round == 0 else { break }
            try fixture.loseDatabase()
            _ = try await LibraryRebuild(
                library: fixture.libraryPath, readers: 2, metadataProgram: LibraryFixture.program
            ).run()
        }
    }

    @Test("Rows of an earlier version lack them, until they are completed from the photos")
    func earlierRows() throws {
        try fixture.loseExifFacts()
        do { _ = try LibraryStore(folder: fixture.libraryPath, mode: .write) }
        #expect(try lenses("lens is null") == [nil, nil, nil])
        let rescan = try PhotoRescan(library: fixture.libraryPath, mode: .write)
        let page = try #require(try rescan.page(nil, after: nil, limit: 10))
        #expect(page.photos.allSatisfy(\.isIncomplete))
        #expect(try rescan.complete(page) == 3)
        let completed = try #require(try rescan.page(nil, after: nil, limit: 10))
        #expect(completed.photos.map(\.record.lensName) == ["RF24-70mm F2.8 L IS USM", "EF50mm f/1.8", nil])
        #expect(completed.photos.filter(\.isIncomplete).count == 1, "one photo has no EXIF")
    }
}
