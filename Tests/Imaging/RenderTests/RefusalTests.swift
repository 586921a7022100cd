import Foundation
import Jobs
import Looks
import Manifests
import Render
import Samples
import Storage
import Testing

@Suite("A job that cannot be rendered") struct RefusalTests {
    static func failure(_ bench: Workbench, _ job: Job) throws -> Failure {
        guard case .failed(let failure) = bench.context.render(job).outcome else {
            throw Failure(.internalError, "it was rendered")
        }
        let objects = try bench.library.factsIfPresent(of: Array(LibraryLayout.objects.utf8))
        #expect(objects == nil, "what fails leaves nothing in the library")
        return failure
    }

    @Test("says that its RAW is gone, or changed since it was planned")
    func gone() throws {
        let bench = try Workbench()
        let raw = try bench.put(RenditionTests.dng(), at: "a.dng")
        let job = try bench.job(raw)
        _ = try bench.put(RenditionTests.dng(seed: 4), at: "a.dng")
        #expect(try Self.failure(bench, job).reason == .sourceChanged)
        try bench.archive.remove(Array("a.dng".utf8))
        #expect(try Self.failure(bench, job).reason == .sourceMissing)
    }

    @Test("says that its path leads out of its root, through a link")
    func escapes() throws {
        let bench = try Workbench()
        let outside = bench.folder.appending(path: "outside.dng")
        try Data(RenditionTests.dng()).write(to: outside)
        try FileManager.default.createSymbolicLink(
            at: bench.folder.appending(path: "archive/link.dng"), withDestinationURL: outside)
        let stamp = FileStamp(
            file: FileReference(root: try #require(RootName("archive")), path: try #require(RelativePath("link.dng"))),
            sizeBytes: 1, modifiedNanoseconds: 1)
        #expect(try Self.failure(bench, try bench.job(stamp)).reason == .pathEscapesRoot)
    }

    @Test("says that its root is not known here")
    func unknownRoot() throws {
        let bench = try Workbench()
        let raw = FileStamp(
            file: FileReference(root: try #require(RootName("elsewhere")), path: try #require(RelativePath("a.dng"))),
            sizeBytes: 1, modifiedNanoseconds: 1)
        #expect(try Self.failure(bench, try bench.job(raw)).reason == .unknownRoot)
    }

    @Test("says that its look is not here, or is another one")
    func unknownLook() throws {
        let bench = try Workbench()
        let raw = try bench.put(RenditionTests.dng(), at: "a.dng")
        var recipe = try Workbench.recipe()
        recipe.look = try #require(LookReference(name: "velvet", version: 2, digest: recipe.look.digest))
        #expect(try Self.failure(bench, try bench.job(raw, recipe: recipe)).reason == .unknownLook)
        let other = try LookCatalogue.builtIn.look("mono").digest
        recipe.look = try #require(LookReference(name: "neutral", version: 1, digest: other))
        #expect(try Self.failure(bench, try bench.job(raw, recipe: recipe)).reason == .unknownLook)
    }

    @Test("of a newer Rawmill is left to that one")
    func newer() throws {
        let bench = try Workbench()
        let raw = try bench.put(RenditionTests.dng(), at: "a.dng")
        let job = try bench.job(raw)
        let newer = Job(
            batch: job.batch, source: job.source, recipe: job.recipe, engineNeeded: Engine.version + 1)
        #expect(try Self.failure(bench, newer).reason == .newerWriter)
    }

    @Test("because the file is no RAW says so", arguments: ["hello", "\u{FF}\u{D8}"])
    func notRaw(content: String) throws {
        let bench = try Workbench()
        let raw = try bench.put(Array(content.utf8), at: "a.dng")
        let failure = try Self.failure(bench, try bench.job(raw))
        #expect(failure.reason == .notRaw)
        #expect(failure.message.contains("a.dng"))
    }

    @Test("does not spoil the jobs after it")
    func next() throws {
        let bench = try Workbench()
        let bad = try bench.put(Array(RenditionTests.dng().prefix(40_000)), at: "bad.dng")
        let good = try bench.put(RenditionTests.dng(), at: "good.dng")
        _ = try Self.failure(bench, try bench.job(bad))
        #expect(try bench.renditions(try bench.job(good)).count == 1)
    }

    @Test("by a user's table that was put on the shelf is rendered with it")
    func table() throws {
        let bench = try Workbench()
        let cube = Array("LUT_3D_SIZE 2\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n".utf8)
        let look = try Look(cube: cube, fileName: "Same Old.cube")
        _ = try bench.library.publish(cube, at: LibraryLayout.look(look.digest).bytes)
        let raw = try bench.put(RenditionTests.dng(), at: "a.dng")
        var recipe = try Workbench.recipe()
        recipe.look = try #require(LookReference(name: look.name, version: look.version, digest: look.digest))
        #expect(try bench.renditions(try bench.job(raw, recipe: recipe)).count == 1)
    }
}
