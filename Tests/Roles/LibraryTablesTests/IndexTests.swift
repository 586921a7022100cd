import LibraryFixtures
import LibraryTables
import Manifests
import PhotoTree
import Selection
import Testing

@Suite("Indexes") struct IndexTests {
    @Test(
        "A migrated library from before capture order by recipe has the indexes of a new one",
        arguments: LibraryFixture.BackEnd.here)
    func carriedForward(on backEnd: LibraryFixture.BackEnd) throws {
        let fixture = try LibraryFixture(on: backEnd)
        try fixture.merge(try fixture.variedManifests(sources: try fixture.root("archive")))
        let (indexes, content) = (try fixture.indexes(), try fixture.content())
        try fixture.loseCaptureIndexes()
        #expect(try fixture.indexes() != indexes)

        _ = try LibraryStore(folder: fixture.libraryPath, mode: .write)
        #expect(try fixture.indexes() == indexes)
        #expect(try fixture.content() == content)
        try fixture.expectConsistency("carried forward")
    }

    @Test(
        "A migrated library from before renditions were found by asset has the indexes of a new one",
        arguments: LibraryFixture.BackEnd.here)
    func foundByAssets(on backEnd: LibraryFixture.BackEnd) throws {
        let fixture = try LibraryFixture(on: backEnd)
        let manifests = try fixture.variedManifests(sources: try fixture.root("archive"))
        try fixture.merge(manifests)
        let tagged = Shot("tagged", path: "T.CR2").with { $0.keywords = ["sea", "Lake"] }
        try fixture.merge([try Manifest([try fixture.render(tagged)], finished: 99)])
        func found() throws -> [[String]] {
            let store = try LibraryStore(folder: fixture.libraryPath, mode: .read)
            return try ["keyword = 'lake'", "not keyword is null", "look = 'velvet'"].map { text in
                var paths: [String] = []
                try store.photos.each(PhotoFilter(selection: try Selection(text))) { paths.append("\($0.path)") }
                return paths
            }
        }
        let (indexes, content, before) = (try fixture.indexes(), try fixture.content(), try found())
        #expect(before[0].count == 1)
        try fixture.loseRenditionIDs()
        #expect(try fixture.indexes() != indexes)

        _ = try LibraryStore(folder: fixture.libraryPath, mode: .write)
        #expect(try fixture.indexes() == indexes)
        #expect(try fixture.content() == content)
        #expect(try found() == before)
        try fixture.expectConsistency("carried forward")
    }
}
