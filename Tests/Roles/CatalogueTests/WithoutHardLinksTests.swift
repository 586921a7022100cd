import Foundation
import Jobs
import Library
import Manifests
import Storage
import Testing

@testable import Catalogue
@testable import Library

@Suite("A file system without hard links") struct WithoutHardLinksTests {
    let folder: TestFolder
    let darkroom: CatalogueFixture

    init() throws {
        folder = try TestFolder()
        darkroom = try CatalogueFixture(folder)
    }

    @Test("gets copies under the same names, also in the place of older ones")
    func copies() throws {
        let shot = CatalogueFixture.Shot("a", path: "IMG_1.CR2")
        let first = try darkroom.develop(shot)
        let second = try darkroom.develop(shot.with { $0.quality = 10 })
        let path = try #require(RelativePath("photos/archive/IMG_1.velvet.jpg"))
        var batch = LinkBatch(root: darkroom.library, copies: true)
        for rendition in [first, second] {
            try batch.link(rendition.photo.path, at: path)
            try batch.sync()
            let facts = try darkroom.library.facts(of: path.bytes)
            #expect(facts.links == 1)
            #expect(try darkroom.library.identity(of: path.bytes).digest == rendition.photo.digest)
        }
        try batch.remove(path)
        #expect(folder.files(below: "photos").isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.library + "/photos/archive"))
    }

    @Test("is verified and rebuilt like any other")
    func verifiedAndRebuilt() async throws {
        let archive = try folder.root("archive")
        try Merging(folder: folder, roots: Roots(["archive": archive])).run(
            try variedManifests(darkroom, sources: archive))
        for file in folder.files(below: "photos") {
            let path = "\(folder.library)/\(file)"
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            try FileManager.default.removeItem(atPath: path)
            try bytes.write(to: URL(fileURLWithPath: path))
        }
        let report = try await LibraryVerification(library: folder.library, roots: Roots([:]), checkers: 2).run()
        #expect(report.isClean && report.findings.isEmpty)
        let before = try content(of: folder.library)
        try FileManager.default.removeItem(atPath: folder.library + "/library.sqlite")
        _ = try await LibraryRebuild(library: folder.library, readers: 2).run()
        #expect(try content(of: folder.library) == before)
    }
}
