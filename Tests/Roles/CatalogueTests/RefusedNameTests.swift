import Database
import Foundation
import Jobs
import Library
import Manifests
import Storage
import Testing

@testable import Catalogue

@Suite("A name below photos/ that cannot be had") struct RefusedNameTests {
    let folder: TestFolder
    let darkroom: CatalogueFixture
    let merging: Merging

    init() throws {
        folder = try TestFolder()
        darkroom = try CatalogueFixture(folder)
        merging = Merging(folder: folder, roots: Roots([:]))
    }

    @Test("because a folder's is longer than Linux takes, is passed over for one that can")
    func longFolder() throws {
        // Other systems count characters: 255 of these.
        let shot = CatalogueFixture.Shot("a", path: String(repeating: "ж", count: 200) + "/IMG_1.CR2")
        try merging.run([try Manifest([try darkroom.develop(shot.with { $0.isCopied = true })], finished: 1)])
        #expect(
            folder.files(below: "photos") == [
                "photos/.unnamed/\(shot.asset).CR2", "photos/.unnamed/\(shot.asset).velvet.jpg",
            ])
        try expectRowsAndFilesToAgree(folder, "a long folder")
    }

    @Test("because a person's file stands in the way, costs its own photo its place, until that is gone")
    func fileInTheWay() async throws {
        let blocked = CatalogueFixture.Shot("b", path: "2019/IMG_2.CR2")
        let other = CatalogueFixture.Shot("c", path: "2020/IMG_3.CR2")
        let inTheWay = Array("photos/archive/2019".utf8)
        _ = try darkroom.library.publish([1], at: inTheWay)
        let manifests = try [blocked, other].map { try Manifest([try darkroom.develop($0)], finished: 1) }
        for _ in 1...2 {
            try merging.run(manifests)
            #expect(folder.files(below: "photos") == ["photos/archive/2019", "photos/archive/2020/IMG_3.velvet.jpg"])
        }
        try darkroom.library.remove(inTheWay)
        let report = try await LibraryVerification(library: folder.library, roots: Roots([:]), checkers: 1).run(
            repair: true)
        #expect(report.findings == [.linkMissing: 1] && report.isClean)
        try expectRowsAndFilesToAgree(folder, "repaired")
    }

    @Test("by a damaged database's word is told as damage")
    func damagedLook() throws {
        let first = CatalogueFixture.Shot("d", path: "IMG_4.CR2")
        try merging.run([try Manifest([try darkroom.develop(first)], finished: 1)])
        let database = try Connection(path: "\(folder.library)/library.sqlite")
        try database.run("UPDATE recipes SET look = '../../x'")
        let library = try LibraryStore(folder: folder.library, mode: .read)
        let error = #expect(throws: (any Error).self) { try library.asset(named: .prefix("\(first.asset)")) }
        #expect(error.map { "\($0)".contains("rawmill library rebuild") } == true)
    }
}
