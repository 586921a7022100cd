import Library
import LibraryFixtures
import Testing

@Suite("Indexes") struct IndexTests {
    @Test(
        "A library from before recipes were in the order of capture has a new one's indexes once it is carried forward",
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
}
