import Foundation
import Jobs
import Library
import Manifests
import Storage
import Testing

@testable import Catalogue

@Suite("RAWs that are moved into the library") struct MovedSourceTests {
    let folder: TestFolder
    let darkroom: CatalogueFixture
    let sources: Root
    let shot = CatalogueFixture.Shot("a", path: "2019/IMG_1.CR2").with { $0.isCopied = true }

    init() throws {
        folder = try TestFolder()
        darkroom = try CatalogueFixture(folder)
        sources = try folder.root("archive")
    }

    func merge(_ manifests: [Manifest], roots: [String: Root]) throws {
        try Merging(folder: folder, roots: Roots(roots)).run(manifests)
    }

    func manifest(_ originals: OriginalsPolicy, _ source: FileStamp) throws -> Manifest {
        try Manifest([try darkroom.develop(shot)], finished: 1, originals: originals, source: source)
    }

    var isThere: Bool { FileManager.default.fileExists(atPath: folder.path + "/archive/2019/IMG_1.CR2") }
    let beside = "photos/archive/2019/IMG_1.CR2"

    @Test("a copied RAW stands beside its photo, and its source stays")
    func copied() throws {
        try merge([try manifest(.copy, try source(of: shot, in: sources))], roots: ["archive": sources])
        #expect(isThere)
        #expect(folder.files(below: "photos") == [beside, "photos/archive/2019/IMG_1.velvet.jpg"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(folder.library)/\(beside)")) == Data(shot.raw))
    }

    @Test("a moved RAW's source goes")
    func moved() throws {
        try merge([try manifest(.move, try source(of: shot, in: sources))], roots: ["archive": sources])
        #expect(!isThere)
        #expect(folder.files(below: "photos").contains(beside))
        #expect(try LibraryStore(folder: folder.library, mode: .read).removals().isEmpty)
    }

    @Test("a source that changed since it was planned stays")
    func changed() throws {
        let stamp = try source(of: shot, in: sources)
        try Data("another photo".utf8).write(to: URL(fileURLWithPath: folder.path + "/archive/2019/IMG_1.CR2"))
        try merge([try manifest(.move, stamp)], roots: ["archive": sources])
        #expect(isThere)
    }

    @Test("a source stays where its copy is missing or has another size", arguments: [false, true])
    func copyMissing(isShort: Bool) throws {
        let manifest = try manifest(.move, try source(of: shot, in: sources))
        let copy = "\(folder.library)/\(LibraryLayout.original(shot.asset, fileExtension: "CR2"))"
        try FileManager.default.removeItem(atPath: copy)
        if isShort { try Data("short".utf8).write(to: URL(fileURLWithPath: copy)) }
        try merge([manifest], roots: ["archive": sources])
        #expect(isThere)
        #expect(folder.files(below: "photos") == ["photos/archive/2019/IMG_1.velvet.jpg"])
    }

    @Test("a source in a root that is not known here goes at a later start that knows it")
    func unknownRoot() throws {
        try merge([try manifest(.move, try source(of: shot, in: sources))], roots: [:])
        #expect(isThere)
        #expect(try LibraryStore(folder: folder.library, mode: .read).removals().count == 1)
        try merge([], roots: ["archive": sources])
        #expect(!isThere)
        #expect(try LibraryStore(folder: folder.library, mode: .read).removals().isEmpty)
    }

    @Test("a source that is the library's own file under another root is left alone")
    func overlap() throws {
        try merge([try manifest(.copy, try source(of: shot, in: sources))], roots: ["archive": sources])
        let all = try Root(path: folder.path)
        for path in ["library/\(beside)", "library/\(LibraryLayout.original(shot.asset, fileExtension: "CR2"))"] {
            let facts = try all.facts(of: Array(path.utf8))
            let stamp = FileStamp(
                file: FileReference(root: try #require(RootName("all")), path: try #require(RelativePath(path))),
                sizeBytes: facts.sizeBytes, modifiedNanoseconds: facts.modifiedNanoseconds)
            let again = try Manifest(
                [try darkroom.develop(shot.with { $0.quality = 40 })], finished: 5, originals: .move, source: stamp)
            var merging = Merging(folder: folder, roots: Roots(["all": all]))
            merging.topic = ConsumedTopic(cluster: path, topic: merging.topic.topic)
            try merging.run([try manifest(.move, stamp), again])
            #expect(FileManager.default.fileExists(atPath: "\(folder.path)/\(path)"), "\(path)")
        }
        try expectRowsAndFilesToAgree(folder, "nothing was taken away")
    }
}
