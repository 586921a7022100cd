import Digest
import Foundation
import Jobs
import Library
import Manifests
import Storage
import Testing

@testable import Catalogue

@Suite("A rendition of the same key with other bytes") struct ReplacedRenditionTests {
    let folder: TestFolder
    let darkroom: CatalogueFixture
    let merging: Merging

    init() throws {
        folder = try TestFolder()
        darkroom = try CatalogueFixture(folder)
        merging = Merging(folder: folder, roots: Roots([:]))
    }

    var shown: [String] { folder.files(below: "photos").map { $0.replacing("photos/archive/", with: "") } }

    @Test("the file decides which of its manifests is true, whatever order they come in", arguments: [false, true])
    func fileDecides(newestFirst: Bool) throws {
        let shot = CatalogueFixture.Shot("a", path: "inbox/IMG_1.CR2")
        let moved = shot.with { $0.path = "2019/IMG_1.CR2" }
        let first = try Manifest([try darkroom.develop(shot)], finished: 1000)
        let second = try Manifest([try darkroom.develop(moved)], finished: 2000)
        try merging.run(newestFirst ? [second, first] : [first, second], batch: 1)
        #expect(shown == ["2019/IMG_1.velvet.jpg"])
        #expect(!FileManager.default.fileExists(atPath: folder.library + "/photos/archive/inbox"))
        try expectRowsAndFilesToAgree(folder, "moved")
        guard
            case .found(let details) = try LibraryStore(folder: folder.library, mode: .read)
                .asset(named: .prefix(shot.asset.description))
        else {
            Issue.record("not found")
            return
        }
        #expect(details.first?.sources.map { "\($0.file)" } == ["archive:2019/IMG_1.CR2"])
    }

    @Test("the link follows the new file where the name stays")
    func linkFollows() throws {
        let shot = CatalogueFixture.Shot("a", path: "2019/IMG_1.CR2")
        try merging.run([try Manifest([try darkroom.develop(shot)], finished: 1000)])
        let before = folder.inode("photos/archive/2019/IMG_1.velvet.jpg")
        let newer = try darkroom.develop(shot.with { $0.captured = "2020:01:01 00:00:00" })
        var later = merging
        later.topic = ConsumedTopic(cluster: "later", topic: merging.topic.topic)
        try later.run([try Manifest([newer], finished: 2000)])
        #expect(folder.inode("photos/archive/2019/IMG_1.velvet.jpg") != before)
        try expectRowsAndFilesToAgree(folder, "replaced")
    }

    @Test("a name that its owner leaves goes to who wanted it", arguments: 1...6)
    func contested(seed: Int) throws {
        let shots = ["a", "b", "c"].map { CatalogueFixture.Shot($0, path: "2019/IMG_1.CR2") }.sorted {
            $0.asset < $1.asset
        }
        var manifests = try shots.map { try Manifest([try darkroom.develop($0)], finished: 1000) }
        try merging.run(manifests)
        #expect(shown.count == 3)
        // The owner of the plain name leaves for another folder.
        let left = shots[0].with { $0.path = "2020/IMG_1.CR2" }
        manifests.append(try Manifest([try darkroom.develop(left)], finished: 2000))
        var numbers = SeededNumbers(seed: UInt64(seed))
        var later = merging
        later.topic = ConsumedTopic(cluster: "later", topic: merging.topic.topic)
        try later.run(manifests.shuffled(using: &numbers), batch: 1)
        #expect(
            shown == ["2019/IMG_1.CR2.velvet.jpg", "2019/IMG_1.velvet.jpg", "2020/IMG_1.velvet.jpg"], "seed \(seed)")
        try expectRowsAndFilesToAgree(folder, "seed \(seed)")
        let before = try content(of: folder.library)
        try FileManager.default.removeItem(atPath: folder.library + "/library.sqlite")
        try FileManager.default.removeItem(atPath: folder.library + "/photos")
        try merging.run(manifests.shuffled(using: &numbers))
        #expect(try content(of: folder.library) == before, "seed \(seed)")
    }
}
