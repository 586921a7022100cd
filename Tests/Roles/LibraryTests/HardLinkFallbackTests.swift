import Foundation
import Jobs
import LibraryFixtures
import Manifests
import Storage
import Testing

@testable import Library

@Suite("A file system without hard links") struct HardLinkFallbackTests {
    let fixture: LibraryFixture

    init() throws { fixture = try LibraryFixture() }

    @Test("Files are copied under the same names, and replace older copies")
    func copies() throws {
        let shot = Shot("a", path: "IMG_1.CR2")
        let first = try fixture.render(shot)
        let second = try fixture.render(shot.with { $0.quality = 10 })
        let path = try #require(RelativePath("photos/archive/IMG_1.velvet.jpg"))
        let library = try fixture.library
        var batch = LinkBatch(root: library, copiesFiles: true)
        for rendition in [first, second] {
            try batch.link(rendition.photo.path, at: path)
            try batch.sync()
            let facts = try library.facts(of: path.bytes)
            #expect(facts.links == 1)
            #expect(try library.digest(of: path.bytes).digest == rendition.photo.digest)
        }
        try batch.remove(path)
        #expect(fixture.files(below: "photos").isEmpty)
        #expect(!FileManager.default.fileExists(atPath: fixture.libraryPath + "/photos/archive"))
    }

    @Test("The library is verified and rebuilt like any other")
    func verifiedAndRebuilt() async throws {
        try fixture.merge(try fixture.variedManifests(sources: try fixture.root("archive")))
        for file in fixture.files(below: "photos") {
            let path = "\(fixture.libraryPath)/\(file)"
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            try FileManager.default.removeItem(atPath: path)
            try bytes.write(to: URL(fileURLWithPath: path))
        }
        let report = try await LibraryVerification(library: fixture.libraryPath, roots: Roots([:]), checkers: 2).run()
        #expect(report.isClean && report.findings.isEmpty)
        let before = try fixture.content()
        try FileManager.default.removeItem(atPath: fixture.libraryPath + "/library.sqlite")
        _ = try await LibraryRebuild(library: fixture.libraryPath, readers: 2).run()
        #expect(try fixture.content() == before)
    }
}
