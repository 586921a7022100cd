import Database
import LibraryFixtures
import LibraryTables
import Manifests
import PhotoTree
import PostgreSQLServer
import Selection
import Testing
import Upkeep

@Suite("Ratings") struct RatingTests {
    private let fixture: LibraryFixture

    init() throws {
        fixture = try LibraryFixture()
        for (number, rating) in [5, 3, 0, -1].enumerated() {
            let shot = Shot("raw \(number)", path: "IMG_\(number).CR2").with { $0.rating = rating }
            try fixture.merge([try Manifest([try fixture.render(shot)], finished: Int64(number + 1))])
        }
    }

    private func ratings(_ condition: String) throws -> [Int?] {
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .read)
        var found: [Int?] = []
        try store.photos.each(PhotoFilter(selection: try Selection(condition))) { found.append($0.rating) }
        return found
    }

    @Test("Photos are found and counted by their stars, and keep them when the library is rebuilt from its files")
    func stars() async throws {
        for round in 0..<2 {
            #expect(try ratings("rating >= 3") == [5, 3])
            #expect(try ratings("rating < 3") == [0, -1])
            #expect(try ratings("not rating = 5") == [3, 0, -1])
            #expect(try ratings("rating is null").isEmpty)
            let facets = try LibraryStore(folder: fixture.libraryPath, mode: .read).photos.facets()
            #expect(facets.ratings.map { "\($0.value): \($0.count)" } == ["5: 1", "3: 1", "0: 1", "-1: 1"])
            guard round == 0 else { break }
            try fixture.loseDatabase()
            _ = try await LibraryRebuild(
                library: fixture.libraryPath, readers: 2, metadataProgram: LibraryFixture.program
            ).run()
        }
    }

    @Test(
        "A migrated library from before ratings has unknown ratings")
    func olderTables() throws {
        try fixture.loseNumbers()
        do {
            let connection = try fixture.connection()
            let isFile = try LibraryServer.address(of: fixture.libraryPath) == nil
            try connection.script(
                """
                DROP TABLE keywords; ALTER TABLE renditions DROP COLUMN keywords;
                DROP INDEX renditions_by_rating; ALTER TABLE renditions DROP COLUMN rating;
                \(isFile ? "PRAGMA user_version = 14" : "UPDATE schema_version SET steps = 14")
                """)
        }
        _ = try LibraryStore(folder: fixture.libraryPath, mode: .write)
        #expect(try ratings("rating is null") == [nil, nil, nil, nil])
        #expect(try ratings("rating >= 0").isEmpty)
        let shot = Shot("raw", path: "NEW.CR2").with { $0.rating = 4 }
        try fixture.merge([try Manifest([try fixture.render(shot)], finished: 9)])
        #expect(try ratings("rating >= 4") == [4])
        #expect(
            try LibraryStore(folder: fixture.libraryPath, mode: .read).photos.facets().ratings.map(\.value) == ["4"])
    }
}
