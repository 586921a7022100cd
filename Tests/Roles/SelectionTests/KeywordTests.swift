import Database
import LibraryFixtures
import Manifests
import PostgreSQLServer
import Testing

@testable import LibraryTables
@testable import PhotoTree
@testable import Selection
@testable import Upkeep

@Suite("Keywords of photos") struct KeywordTests {
    private let fixture: LibraryFixture
    private static let words = [["lake", "Zürich"], ["Lake", "100%"], [], ["it's"]]

    init() throws {
        fixture = try LibraryFixture()
        for (number, words) in Self.words.enumerated() { try merge(number, words, at: number + 1) }
    }

    private func merge(_ number: Int, _ words: [String], at time: Int) throws {
        let shot = Shot("raw \(number)", path: "IMG_\(number).CR2").with { $0.keywords = words }
        try fixture.merge([try Manifest([try fixture.render(shot)], finished: Int64(time))])
    }

    private func store() throws -> LibraryStore { try LibraryStore(folder: fixture.libraryPath, mode: .read) }

    private func found(_ condition: String) throws -> [[String]?] {
        var found: [[String]?] = []
        try store().photos.each(PhotoFilter(selection: try Selection(condition))) { found.append($0.keywords?.words) }
        return found
    }

    @Test("Photos are found and counted by their keywords, and keep them when the library is rebuilt from its files")
    func finds() async throws {
        for round in 0..<2 {
            #expect(try found("keyword = 'LAKE'") == [["lake", "Zürich"], ["Lake", "100%"]])
            #expect(try found("keyword like 'z%'") == [["lake", "Zürich"]])
            #expect(try found("keyword in ('100%', 'it''s')") == [["Lake", "100%"], ["it's"]])
            #expect(try found("keyword != 'lake'") == [["it's"]])
            #expect(try found("keyword is null") == [[]])
            #expect(try found("not keyword = 'lake'") == [[], ["it's"]])
            #expect(
                try store().photos.facets().keywords.map { "\($0.value): \($0.count)" }
                    == ["100%: 1", "Lake: 1", "Zürich: 1", "it's: 1", "lake: 1"])
            guard round == 0 else { break }
            try fixture.loseDatabase()
            _ = try await LibraryRebuild(
                library: fixture.libraryPath, readers: 2, metadataProgram: LibraryFixture.program
            ).run()
        }
    }

    @Test("Later changes replace keywords, and a removed photo leaves none behind")
    func replaces() throws {
        try merge(0, ["sea"], at: 9)
        #expect(try found("keyword = 'lake'") == [["Lake", "100%"]])
        #expect(try found("keyword = 'sea'") == [["sea"]])
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .write)
        try store.transaction {
            let id = Shot("raw 0", path: "IMG_0.CR2").id
            try store.tables.renditions.remove(try #require(try store.tables.renditions.record(id)))
        }
        let words = try fixture.connection().all("SELECT word FROM keywords ORDER BY word") { $0.text(0) }
        #expect(words == ["100%", "Lake", "it's"])
    }

    @Test("A keyword has no order, and an error is reported with its place")
    func mistakes() {
        func message(_ text: String) -> String {
            do { _ = try Selection(text) } catch { return "\(error)" }
            return "none"
        }
        #expect(message("keyword > 'a'").contains("column 9: keyword has no order; compare it by =, !=, like or in"))
        #expect(message("keywords = 'a'").contains("did you mean keyword?"))
        #expect(message("keyword = lake").contains("write text in single quotes: 'lake'"))
    }

    @Test(
        "A migrated library from before keywords has unknown keywords")
    func olderTables() throws {
        try fixture.loseNumbers()
        do {
            let isFile = try LibraryServer.address(of: fixture.libraryPath) == nil
            try fixture.connection().script(
                """
                DROP TABLE keywords; ALTER TABLE renditions DROP COLUMN keywords;
                \(isFile ? "PRAGMA user_version = 15" : "UPDATE schema_version SET steps = 15")
                """)
        }
        _ = try LibraryStore(folder: fixture.libraryPath, mode: .write)
        #expect(try found("keyword is null") == [nil, nil, nil, nil])
        try merge(7, ["new"], at: 9)
        #expect(try found("keyword = 'new'") == [["new"]])
        #expect(try store().photos.facets().keywords.map(\.value) == ["new"])
    }
}
