import Digest
import Foundation
import Jobs
import Manifests
import Metadata
import Render
import Storage
import Testing

@Suite("Reused photos") struct ReuseTests {
    static let sidecar = Array(
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>
        """.utf8)

    private let fixture: RenderFixture

    init() throws { fixture = try RenderFixture(reuses: true) }

    /// A RAW with a unique time, so that two libraries can receive the same one.
    private static func put(_ bytes: [UInt8], at path: String, in fixture: RenderFixture) throws -> FileStamp {
        _ = try fixture.put(bytes, at: path)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
            ofItemAtPath: fixture.folder.appending(path: "archive/\(path)").path)
        return try fixture.stamp(path)
    }

    private func put(_ bytes: [UInt8] = RenditionTests.dng(), at path: String) throws -> FileStamp {
        try Self.put(bytes, at: path, in: fixture)
    }

    private func remove(_ path: String) throws {
        try FileManager.default.removeItem(at: fixture.folder.appending(path: "archive/\(path)"))
    }

    private func render(_ raw: FileStamp, sidecar: FileStamp? = nil, recipe: Recipe? = nil) throws -> Rendition {
        try #require(try fixture.renditions(try fixture.job(raw, sidecar: sidecar, recipe: recipe)).first)
    }

    private func identity(_ rendition: Rendition) throws -> RenditionIdentity {
        let prefix = try fixture.library.prefix(of: rendition.photo.path.bytes, byteCount: JPEGMetadata.prefixByteCount)
        return try XMPToolkit().identity(from: PhotoBytes(prefix))
    }

    private func expectSameAsDeveloped(
        _ rendition: Rendition, _ path: String, hasSidecar: Bool, recipe: Recipe? = nil
    ) throws {
        let other = try RenderFixture()
        let raw = try Self.put(RenditionTests.dng(), at: path, in: other)
        let sidecar = hasSidecar ? try Self.put(Self.sidecar, at: "b.xmp", in: other) : nil
        let job = try other.job(raw, sidecar: sidecar, recipe: recipe)
        let developed = try #require(try other.renditions(job).first)
        #expect(developed.reused == nil)
        #expect(developed.photo == rendition.photo)
        #expect(developed.preview == rendition.preview)
        #expect(developed.original == rendition.original)
        let bytes = try fixture.library.digest(of: rendition.photo.path.bytes).digest
        #expect(bytes == developed.photo.digest)
    }

    @Test("The photo of a renamed RAW is not developed, and has the bytes that developing it would give")
    func renamed() throws {
        let first = try render(try put(at: "trip/a.dng"))
        #expect(first.reused == nil)
        try remove("trip/a.dng")
        let raw = try put(at: "2024/a much longer name.dng")
        let again = try render(raw)
        #expect(again.reused == first.photo.digest)
        #expect(!again.timings.contains { $0.stage == "develop" || $0.stage == "encode" })
        #expect(try identity(again).original.path == Array("2024/a much longer name.dng".utf8))
        try expectSameAsDeveloped(again, "2024/a much longer name.dng", hasSidecar: false)
    }

    @Test(
        "An added sidecar is in the photo, which is not developed again",
        arguments: [[], [PrivateDetail.paths]])
    func sidecar(stripped: Set<PrivateDetail>) throws {
        let recipe = try RenderFixture.recipe { $0.stripped = stripped }
        _ = try render(try put(at: "a.dng"), recipe: recipe)
        let sidecar = try put(Self.sidecar, at: "b.xmp")
        let again = try render(try fixture.stamp("a.dng"), sidecar: sidecar, recipe: recipe)
        #expect(again.reused != nil)
        try expectSameAsDeveloped(again, "a.dng", hasSidecar: true, recipe: recipe)
    }

    @Test(
        "Of a RAW's paths, the photo names the first in their order, independent of the order of rendering",
        arguments: [["best/a.dng", "trip/a.dng"], ["trip/a.dng", "best/a.dng"]], [false, true])
    func order(paths: [String], reuses: Bool) throws {
        let fixture = try RenderFixture(reuses: true)
        let stamps = try paths.map { try Self.put(RenditionTests.dng(), at: $0, in: fixture) }
        var last: Rendition?
        for stamp in stamps {
            var job = try fixture.job(stamp)
            job.rendersAnew = !reuses
            last = try fixture.renditions(job).first
        }
        #expect(last?.original.file.path.description == "best/a.dng")
        let other = try RenderFixture()
        let best = try Self.put(RenditionTests.dng(), at: "best/a.dng", in: other)
        #expect(try other.renditions(try other.job(best)).first?.photo.digest == last?.photo.digest)
    }

    @Test("A truncated or missing photo, or one without a preview, is developed again")
    func lost() throws {
        let raw = try put(at: "a.dng")
        let first = try render(raw)
        let (photo, preview) = (fixture.file(first.photo.path), fixture.file(first.preview.path))
        let whole = try Data(contentsOf: photo)
        for harm in [
            { try Data(whole.dropLast(100)).write(to: photo) }, { try FileManager.default.removeItem(at: photo) },
            { try Data("no photo".utf8).write(to: photo) }, { try FileManager.default.removeItem(at: preview) },
        ] as [() throws -> Void] {
            try harm()
            let again = try render(raw)
            #expect(again.reused == nil)
            #expect(again.photo.digest == first.photo.digest)
            #expect(try Data(contentsOf: photo) == whole)
        }
    }

    @Test("A changed photo is detected by its hash, and a job with forced rendering repairs it")
    func damaged() throws {
        let raw = try put(at: "a.dng")
        let first = try render(raw)
        var bytes = try Data(contentsOf: fixture.file(first.photo.path))
        bytes[bytes.count / 2] ^= 0x55
        try bytes.write(to: fixture.file(first.photo.path))
        let again = try render(raw)
        #expect(again.reused == SHA256Value(of: bytes))
        #expect(again.reused != first.photo.digest)
        var job = try fixture.job(raw)
        job.rendersAnew = true
        let anew = try #require(try fixture.renditions(job).first)
        #expect(anew.reused == nil)
        #expect(anew.photo.digest == first.photo.digest)
    }

    @Test("Of a burst, only the frames without a photo are developed")
    func burst() throws {
        let whole = BurstTests.burst()
        let cut = Array(whole.dropLast(2000))
        let first = try fixture.renditions(try fixture.job(try put(cut, at: "cut.dng")))
        #expect(first.map(\.reused) == [nil] && first.failures.count == 1)
        let again = try fixture.renditions(try fixture.job(try put(cut, at: "other/cut.dng")))
        #expect(again.map(\.reused) == [first.first?.photo.digest])
        #expect(again.failures.map(\.frame) == [1])

        let both = try fixture.renditions(try fixture.job(try put(whole, at: "whole.dng")))
        try FileManager.default.removeItem(at: fixture.file(try #require(both.last).photo.path))
        let rest = try fixture.renditions(try fixture.job(try fixture.stamp("whole.dng")))
        #expect(rest.map { $0.reused == nil } == [false, true])
        #expect(rest.map(\.photo.digest) == both.map(\.photo.digest))
    }

    @Test("Another recipe of the same RAW is developed")
    func otherRecipe() throws {
        let raw = try put(at: "a.dng")
        _ = try render(raw)
        #expect(try render(raw, recipe: try RenderFixture.recipe("sepia")).reused == nil)
    }
}
