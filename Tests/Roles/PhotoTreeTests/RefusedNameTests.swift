import Database
import Foundation
import Jobs
import LibraryFixtures
import LibraryTables
import Manifests
import PhotoTree
import Selection
import Storage
import Testing
import Upkeep

@Suite("Unusable names below photos/") struct RefusedNameTests {
    let fixture: LibraryFixture

    init() throws {
        fixture = try LibraryFixture()
    }

    @Test("A folder name that is too long for Linux is replaced by another name")
    func longFolder() throws {
        // Other systems count characters: 255 of these.
        let shot = Shot("a", path: String(repeating: "ж", count: 200) + "/IMG_1.CR2")
        try fixture.merge([try Manifest([try fixture.render(shot.with { $0.isCopied = true })], finished: 1)])
        #expect(
            fixture.files(below: "photos") == [
                "photos/.unnamed/\(shot.asset).CR2", "photos/.unnamed/\(shot.asset).velvet.jpg",
            ])
        try fixture.expectConsistency("a long folder")
    }

    @Test("A user's file in the way hides only the photo it blocks, until it is gone")
    func fileInTheWay() async throws {
        let blocked = Shot("b", path: "2019/IMG_2.CR2")
        let other = Shot("c", path: "2020/IMG_3.CR2")
        let inTheWay = Array("photos/archive/2019".utf8)
        _ = try fixture.library.publish([1], at: inTheWay)
        let manifests = try [blocked, other].map { try Manifest([try fixture.render($0)], finished: 1) }
        for _ in 1...2 {
            try fixture.merge(manifests)
            #expect(fixture.files(below: "photos") == ["photos/archive/2019", "photos/archive/2020/IMG_3.velvet.jpg"])
        }
        try fixture.library.remove(inTheWay)
        let report = try await LibraryVerification(
            library: fixture.libraryPath, roots: Roots([:]), checkers: 1, metadataProgram: LibraryFixture.program
        ).run(
            repair: true)
        #expect(report.findings == [.linkMissing: 1] && report.isClean)
        try fixture.expectConsistency("repaired")
    }

    @Test("A name that is invalid because the database is damaged is reported as damage")
    func damagedLook() throws {
        let first = Shot("d", path: "IMG_4.CR2")
        try fixture.merge([try Manifest([try fixture.render(first)], finished: 1)])
        let database = try fixture.connection()
        try database.run("UPDATE recipes SET look = '../../x'")
        let library = try LibraryStore(folder: fixture.libraryPath, mode: .read)
        let error = #expect(throws: (any Error).self) { try library.assets.find(.prefix("\(first.asset)")) }
        #expect(error.map { "\($0)".contains("rawmill library rebuild") } == true)
    }
}
