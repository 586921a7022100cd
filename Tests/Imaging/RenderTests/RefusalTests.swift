import Decode
import Digest
import DirectRender
import Foundation
import Jobs
import Looks
import Manifests
import Render
import Samples
import Storage
import Testing

@Suite("Jobs that cannot be rendered") struct RefusalTests {
    static func failure(_ fixture: RenderFixture, _ job: Job) throws -> Failure {
        guard case .failed(let failure) = fixture.context.render(job).outcome else {
            throw Failure(.internalError, "it was rendered")
        }
        let objects = try fixture.library.factsIfPresent(of: Array(LibraryLayout.objects.utf8))
        #expect(objects == nil, "a failed job leaves nothing in the library")
        return failure
    }

    @Test("A RAW that is missing, or changed since planning, is named")
    func gone() throws {
        let fixture = try RenderFixture()
        let raw = try fixture.put(RenditionTests.dng(), at: "a.dng")
        let job = try fixture.job(raw)
        _ = try fixture.put(RenditionTests.dng(seed: 4), at: "a.dng")
        #expect(try Self.failure(fixture, job).reason == .sourceChanged)
        try fixture.archive.remove(Array("a.dng".utf8))
        #expect(try Self.failure(fixture, job).reason == .sourceMissing)
    }

    @Test("A path that leaves its root through a link is refused")
    func escapes() throws {
        let fixture = try RenderFixture()
        let outside = fixture.folder.appending(path: "outside.dng")
        try Data(RenditionTests.dng()).write(to: outside)
        try FileManager.default.createSymbolicLink(
            at: fixture.folder.appending(path: "archive/link.dng"), withDestinationURL: outside)
        let stamp = FileStamp(
            file: FileReference(root: try #require(RootName("archive")), path: try #require(RelativePath("link.dng"))),
            sizeBytes: 1, modifiedNanoseconds: 1)
        #expect(try Self.failure(fixture, try fixture.job(stamp)).reason == .pathEscapesRoot)
    }

    @Test("An unknown root is refused")
    func unknownRoot() throws {
        let fixture = try RenderFixture()
        let raw = FileStamp(
            file: FileReference(root: try #require(RootName("elsewhere")), path: try #require(RelativePath("a.dng"))),
            sizeBytes: 1, modifiedNanoseconds: 1)
        #expect(try Self.failure(fixture, try fixture.job(raw)).reason == .unknownRoot)
    }

    @Test("A look that is missing, or has other contents, is refused")
    func unknownLook() throws {
        let fixture = try RenderFixture()
        let raw = try fixture.put(RenditionTests.dng(), at: "a.dng")
        var recipe = try RenderFixture.recipe()
        recipe.look = try #require(LookReference(name: "velvet", version: 2, digest: recipe.look.digest))
        #expect(try Self.failure(fixture, try fixture.job(raw, recipe: recipe)).reason == .unknownLook)
        let other = try LookCatalogue.builtIn.look("mono").digest
        recipe.look = try #require(LookReference(name: "neutral", version: 1, digest: other))
        #expect(try Self.failure(fixture, try fixture.job(raw, recipe: recipe)).reason == .unknownLook)
    }

    @Test("A job that needs a newer engine is refused")
    func newer() throws {
        let fixture = try RenderFixture()
        let raw = try fixture.put(RenditionTests.dng(), at: "a.dng")
        let job = try fixture.job(raw)
        let newer = Job(
            batch: job.batch, source: job.source, recipe: job.recipe, engineNeeded: Engine.version + 1)
        #expect(try Self.failure(fixture, newer).reason == .newerWriter)
    }

    @Test("A file that is not a RAW is refused", arguments: ["hello", "\u{FF}\u{D8}"])
    func notRaw(content: String) throws {
        let fixture = try RenderFixture()
        let raw = try fixture.put(Array(content.utf8), at: "a.dng")
        let failure = try Self.failure(fixture, try fixture.job(raw))
        #expect(failure.reason == .notRaw)
        #expect(failure.message.contains("a.dng"))
    }

    @Test("A failed job does not affect the next one")
    func next() throws {
        let fixture = try RenderFixture()
        let bad = try fixture.put(Array(RenditionTests.dng().prefix(40_000)), at: "bad.dng")
        let good = try fixture.put(RenditionTests.dng(), at: "good.dng")
        _ = try Self.failure(fixture, try fixture.job(bad))
        #expect(try fixture.renditions(try fixture.job(good)).count == 1)
    }

    @Test("A job with a user's table from the library is rendered")
    func table() throws {
        let fixture = try RenderFixture()
        let cube = Array("LUT_3D_SIZE 2\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n".utf8)
        let look = try Look(file: cube, fileName: "Same Old.cube")
        _ = try fixture.library.publish(cube, at: LibraryLayout.look(look.digest).bytes)
        let raw = try fixture.put(RenditionTests.dng(), at: "a.dng")
        var recipe = try RenderFixture.recipe()
        recipe.look = try #require(LookReference(name: look.name, version: look.version, digest: look.digest))
        #expect(try fixture.renditions(try fixture.job(raw, recipe: recipe)).count == 1)
    }

    @Test(
        "The library's camera profiles named by the recipe decide colours; without them there is no photo"
    )
    func profiles() throws {
        let fixture = try RenderFixture()
        let raw = try fixture.put(RenditionTests.dng(), at: "a.dng")
        let camera = SampleCamera()
        var writer = ProfileWriter(camera: "\(camera.make) \(camera.model)")
        writer.saturation = 0
        let other = ProfileWriter(camera: "Another Camera")
        func digest(_ pack: CameraProfilePack) throws -> SHA256Value {
            let digest = SHA256Value(of: pack.bytes)
            _ = try fixture.library.publish(pack.bytes, at: LibraryLayout.cameraProfiles(digest).bytes)
            return digest
        }
        let missing = try RenderFixture.recipe { $0.cameraProfiles = SHA256Value(of: [1]) }
        #expect(try Self.failure(fixture, try fixture.job(raw, recipe: missing)).reason == .unknownLook)
        let wrong = SHA256Value(of: [2])
        _ = try fixture.library.publish([3], at: LibraryLayout.cameraProfiles(wrong).bytes)
        let changed = try RenderFixture.recipe { $0.cameraProfiles = wrong }
        #expect(try Self.failure(fixture, try fixture.job(raw, recipe: changed)).reason == .unknownLook)

        func photo(_ profiles: SHA256Value?, lacks: Bool = false) throws -> SHA256Value {
            let recipe = try RenderFixture.recipe { $0.cameraProfiles = profiles }
            let frames = try fixture.renditions(try fixture.job(raw, recipe: recipe))
            let rendition = try #require(frames.renditions.first)
            #expect(rendition.lacksProfile == lacks)
            return rendition.preview.digest
        }
        let own = try photo(nil)
        let grey = try photo(digest(CameraProfilePack(writer.file())))
        #expect(grey != own)
        // In a folder, the camera's own profile counts; without one, the file's colours.
        #expect(try photo(digest(CameraProfilePack(folder: [("a", other.file()), ("b", writer.file())]))) == grey)
        #expect(try photo(digest(CameraProfilePack(folder: [("a", other.file())])), lacks: true) == own)
        // The samples of the last photo are not reused with other profiles.
        #expect(try photo(nil) == own)
    }
}
