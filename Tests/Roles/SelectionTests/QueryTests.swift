import Digest
import Foundation
import Jobs
import LibraryFixtures
import LibraryTables
import Manifests
import PhotoTree
import Selection
import Storage
import Testing

@Suite("Queries of a library") struct QueryTests {
    let fixture: LibraryFixture
    let store: LibraryStore

    init() throws {
        fixture = try LibraryFixture()
        let archive = try fixture.root("archive")
        var manifests = try fixture.variedManifests(sources: archive)
        let late = Shot("z", path: "2021/LATE.CR2").with { $0.captured = "2021:12:31 23:59:59" }
        manifests.append(try Manifest([try fixture.render(late)], finished: 1))
        try fixture.merge(manifests)
        store = try LibraryStore(folder: fixture.libraryPath, mode: .read)
    }

    func paths(folder: String? = nil, look: String? = nil, date: String? = nil) throws -> [String] {
        var paths: [String] = []
        let filter = try #require(PhotoFilter(folder: folder, look: look, date: date))
        try store.photos.each(filter) { paths.append("\($0.path)") }
        return paths
    }

    @Test("Photos are listed by path: all, or those of a folder, a look or a date")
    func list() throws {
        let all = try paths()
        #expect(all == all.sorted() && all.count == 12)
        #expect(try paths(folder: "archive/2021") == ["photos/archive/2021/LATE.velvet.jpg"])
        #expect(try paths(folder: "/photos/archive/2021/") == ["photos/archive/2021/LATE.velvet.jpg"])
        #expect(try paths(folder: "archive/202").isEmpty)
        #expect(try paths(folder: "archive").count == 12)
        #expect(try paths(look: "mono") == ["photos/archive/2019/IMG_1.mono.jpg"])
        for date in ["2021", "2021-12", "2021-12-31"] {
            #expect(try paths(date: date) == ["photos/archive/2021/LATE.velvet.jpg"])
        }
        #expect(try paths(date: "2021-11").isEmpty)
    }

    @Test("The facets are the common properties of the listed photos, each with its number of photos")
    func facets() throws {
        var (looks, cameras, years, ratings): ([String: Int], [String: Int], [String: Int], [String: Int]) = (
            [:], [:], [:], [:]
        )
        try store.photos.each { photo in
            looks[photo.look, default: 0] += 1
            cameras["\(photo.make) \(photo.model)", default: 0] += 1
            if let captured = photo.captured { years[String(captured.prefix(4)), default: 0] += 1 }
            if let rating = photo.rating { ratings["\(rating)", default: 0] += 1 }
        }
        #expect(looks.count > 1 && years.count > 1)
        let facets = try store.photos.facets()
        for (entries, counted) in [
            (facets.looks, looks), (facets.cameras, cameras), (facets.years, years), (facets.ratings, ratings),
        ] {
            #expect(Dictionary(uniqueKeysWithValues: entries.map { ($0.value, $0.count) }) == counted)
        }
        #expect(facets.looks.map(\.value) == looks.keys.sorted())
        #expect(facets.years.map(\.value) == years.keys.sorted(by: >))
    }

    @Test(
        "An invalid folder or date is refused", arguments: ["../x", "2021-1", "21", "2021-12-31-1", "x", ""])
    func badFilters(text: String) {
        if text == "../x" { #expect(PhotoFilter(folder: text, look: nil, date: nil) == nil) }
        #expect(PhotoFilter(folder: nil, look: nil, date: text) == nil)
    }

    @Test("An asset is found by its first digits, by a photo's path and by an object's path")
    func show() throws {
        let asset = Shot("b", path: "x").asset
        var results: [AssetSearchResult] = []
        let digits = String(asset.description.prefix(12))
        for name in [digits, digits.uppercased(), "photos/archive/2019/IMG_1.NEF.velvet.jpg"] {
            results.append(try store.assets.find(try #require(AssetName(name))))
        }
        guard case .found(let details) = results[0], let details = details.first else {
            Issue.record("not found")
            return
        }
        results.append(try store.assets.find(.path(details.revisions[0].photo.file.path)))
        #expect(Set(results).count == 1)
        #expect(details.asset == asset && details.make == "Canon")
        #expect(details.revisions.count == 2)
        #expect(details.revisions.map { $0.shownAt != nil } == [true, false])
        #expect(details.revisions[0].degraded != nil)
        guard case .recipe(let recipe) = details.revisions[0].recipe.adjustment.reading else {
            Issue.record("the recipe is not read")
            return
        }
        #expect(recipe.exposureStops == 7 && recipe.id == details.revisions[0].recipe.id)
        #expect(
            details.resources.map(\.kind) == [.photo, .preview, .photo, .preview, .alternatePhoto, .cameraPhoto])
        #expect(details.sources.last?.digest == SHA256Value(of: Array("2019/IMG_1.JPG".utf8)))
    }

    @Test("An asset shows each frame of its RAW, and the RAW's copy in the library")
    func framesAndCopies() throws {
        guard
            case .found(let frames) = try store.assets.find(try #require(AssetName("photos/archive/burst.velvet.jpg")))
        else {
            Issue.record("not found")
            return
        }
        #expect(frames.map(\.frame) == [0, 1])
        guard case .found(let copied) = try store.assets.find(try #require(AssetName("photos/archive/2020/é 1.ARW")))
        else {
            Issue.record("not found")
            return
        }
        #expect(
            copied.first?.sources.map { "\($0.file)" } == [
                "library/photos/archive/2020/é 1.ARW", "archive/2020/é 1.ARW",
            ])
    }

    @Test("A name without a match finds nothing, and an ambiguous one lists the assets")
    func noneOrMany() throws {
        #expect(try store.assets.find(.prefix("0000000000")) == .none)
        #expect(try store.assets.find(try #require(AssetName("photos/nothing.jpg"))) == .none)
        guard case .ambiguous(let several) = try store.assets.find(.prefix("")) else {
            Issue.record("not ambiguous")
            return
        }
        #expect(several.count > 2)
    }

    @Test("Assets, photos and revisions are counted")
    func counts() throws {
        let counts = try store.counts()
        #expect(counts.assets == 11 && counts.photos == 12 && counts.renditions == 14)
        #expect(counts.degraded == 1 && counts.copies == 3)
    }

    @Test("A reader reads while a writer writes")
    func readsBesideWriter() throws {
        let writer = try LibraryStore(folder: fixture.libraryPath, mode: .write)
        let seen = try writer.transaction { try paths().count }
        #expect(seen == 12)
        #expect(throws: LibraryError.self) { try LibraryStore(folder: fixture.libraryPath, mode: .write) }
    }
}
