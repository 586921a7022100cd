import Digest
import Foundation
import Jobs
import LibraryFixtures
import LibraryTables
import Manifests
import PhotoTree
import SeededRandom
import Selection
import Storage
import Testing

@Suite("A rendition with a known key and other bytes") struct ReplacedRenditionTests {
    let fixture: LibraryFixture

    init() throws {
        fixture = try LibraryFixture()
    }

    var shown: [String] { fixture.files(below: "photos").map { $0.replacing("photos/archive/", with: "") } }

    @Test("The file decides which of its manifests is true, in any order of arrival", arguments: [false, true])
    func fileDecides(newestFirst: Bool) throws {
        let shot = Shot("a", path: "inbox/IMG_1.CR2")
        let moved = shot.with { $0.path = "2019/IMG_1.CR2" }
        let first = try Manifest([try fixture.render(shot)], finished: 1000)
        let second = try Manifest([try fixture.render(moved)], finished: 2000)
        try fixture.merge(newestFirst ? [second, first] : [first, second], batch: 1)
        #expect(shown == ["2019/IMG_1.velvet.jpg"])
        #expect(!FileManager.default.fileExists(atPath: fixture.libraryPath + "/photos/archive/inbox"))
        try fixture.expectConsistency("moved")
        guard
            case .found(let details) = try LibraryStore(folder: fixture.libraryPath, mode: .read)
                .assets.find(.prefix(shot.asset.description))
        else {
            Issue.record("not found")
            return
        }
        #expect(details.first?.sources.map { "\($0.file)" } == ["archive/2019/IMG_1.CR2"])
    }

    @Test("The link follows the new file if the name stays the same")
    func linkFollows() throws {
        let shot = Shot("a", path: "2019/IMG_1.CR2")
        try fixture.merge([try Manifest([try fixture.render(shot)], finished: 1000)])
        let before = fixture.inode("photos/archive/2019/IMG_1.velvet.jpg")
        let newer = try fixture.render(shot.with { $0.captured = "2020:01:01 00:00:00" })
        try fixture.merge([try Manifest([newer], finished: 2000)])
        #expect(fixture.inode("photos/archive/2019/IMG_1.velvet.jpg") != before)
        try fixture.expectConsistency("replaced")
    }

    @Test("A name that a file gives up goes to the file whose first choice it is", arguments: 1...6)
    func contested(seed: Int) throws {
        let shots = ["a", "b", "c"].map { Shot($0, path: "2019/IMG_1.CR2") }.sorted {
            $0.asset < $1.asset
        }
        var manifests = try shots.map { try Manifest([try fixture.render($0)], finished: 1000) }
        try fixture.merge(manifests)
        #expect(shown.count == 3)
        // The owner of the plain name moves to another folder.
        let left = shots[0].with { $0.path = "2020/IMG_1.CR2" }
        manifests.append(try Manifest([try fixture.render(left)], finished: 2000))
        var numbers = SeededGenerator(seed: UInt64(seed))
        try fixture.merge(manifests.shuffled(using: &numbers), batch: 1)
        #expect(
            shown == ["2019/IMG_1.CR2.velvet.jpg", "2019/IMG_1.velvet.jpg", "2020/IMG_1.velvet.jpg"], "seed \(seed)")
        try fixture.expectConsistency("seed \(seed)")
        let before = try fixture.content()
        try fixture.loseDatabase()
        try FileManager.default.removeItem(atPath: fixture.libraryPath + "/photos")
        try fixture.merge(manifests.shuffled(using: &numbers))
        #expect(try fixture.content() == before, "seed \(seed)")
    }
}
